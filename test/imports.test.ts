// The direction of imports between files and folders.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { type Import, imports, read, sources, topFolder } from './support/sources.ts';

/** The folders of the top level that each of them may import from, besides itself. */
const mayImport: Record<string, string[]> = {
  gateway: ['db'],
  workers: ['db'],
  db: [],
  bench: [],
  test: ['gateway', 'workers', 'db', 'bench'],
};

test('folders import only in the direction gateway → db ← workers', () => {
  for (const { from, target, to } of imports) {
    const allowed =
      topFolder(to) === topFolder(from) ||
      (mayImport[topFolder(from)] ?? []).includes(topFolder(to));
    assert.ok(
      allowed,
      `${from} imports ${target}: ${topFolder(from)} may not import ${topFolder(to)}`,
    );
  }
});

/** Which folders of db/ each of them may import from, besides itself. */
const mayImportInDb: Record<string, string[]> = {
  operator: [
    ...['actions', 'bundle', 'queue', 'menu', 'snapshot', 'history', 'exchange', 'sql'],
    ...['schema', 'postgres', 'texts', 'runtime'],
  ],
  actions: [
    ...['bundle', 'way-back', 'chain', 'menu', 'sql', 'schema', 'postgres', 'texts', 'runtime'],
  ],
  bundle: [],
  chain: ['menu', 'history', 'sql', 'schema', 'postgres', 'runtime'],
  queue: ['sql', 'schema', 'postgres', 'runtime'],
  menu: ['history', 'snapshot', 'sql', 'schema', 'postgres', 'runtime'],
  snapshot: ['sql', 'schema', 'postgres', 'runtime'],
  history: ['snapshot', 'sql', 'schema', 'postgres', 'runtime'],
  'way-back': ['menu', 'history', 'sql', 'schema', 'postgres', 'runtime'],
  exchange: ['snapshot', 'sql', 'schema', 'postgres', 'texts', 'runtime'],
  law: ['snapshot', 'sql', 'schema', 'texts', 'runtime'],
  sql: ['schema', 'postgres', 'runtime'],
  schema: ['texts', 'runtime'],
  postgres: ['runtime'],
  runtime: [],
  texts: [],
};

test('the folders of db import only what stands below them', () => {
  const folder = (file: string) => file.split('/')[1] ?? '';
  for (const { from, target, to } of imports.filter(({ from }) => topFolder(from) === 'db')) {
    const allowed =
      folder(to) === folder(from) || mayImportInDb[folder(from)]?.includes(folder(to));
    assert.ok(allowed, `${from} imports ${target}: ${folder(from)} may not import ${folder(to)}`);
  }
});

/** The folders that files of a gateway's folder may not import. */
const gatewayLayers: Record<string, RegExp> = {
  'gateway/routes/': /gateway\/(http\/server|panel|display)/,
  'gateway/pipeline/': /gateway\/(routes|writes|analytics|panel|display)\//,
  'gateway/http/': /gateway\/(routes|pipeline|writes|analytics|snapshots|limits|panel|display)\//,
  'gateway/snapshots/': /gateway\/(routes|pipeline|writes|analytics|limits|panel|display)\//,
  'gateway/limits/': /gateway\/(routes|pipeline|writes|analytics|snapshots|panel|display)\//,
  'gateway/writes/': /gateway\/(routes|analytics|panel|display)\//,
};

test('handlers never touch the socket, and what they stand on imports none of them', () => {
  for (const [under, forbidden] of Object.entries(gatewayLayers)) {
    const wrong = imports.filter(({ from, to }) => from.startsWith(under) && forbidden.test(to));
    assert.deepEqual(wrong, []);
  }
});

const isOurs = (file: string) => /^(db|gateway|workers)\//.test(file);

/** Files that may: rules and their texts. */
const mayCircle = /^db\/schema\/validation\/(rule|messages)\.ts/;

test('no file imports itself by way of others', () => {
  const counts = ({ from, to }: Import) =>
    isOurs(from) && !(mayCircle.test(from) && mayCircle.test(to));
  let rest = imports.filter(counts);
  for (let before = 0; before !== rest.length; ) {
    before = rest.length;
    const importing = new Set(rest.map(({ from }) => from));
    const imported = new Set(rest.map(({ to }) => to));
    rest = rest.filter(({ from, to }) => importing.has(to) && imported.has(from));
  }
  assert.deepEqual(rest, []);
});

test('no folder imports one that imports it', () => {
  const between = imports.filter(({ from, to }) => isOurs(from) && dirname(from) !== dirname(to));
  const edges = new Set(between.map(({ from, to }) => `${dirname(from)} ↔ ${dirname(to)}`));
  const isMutual = (edge: string) => edges.has(edge.split(' ↔ ').reverse().join(' ↔ '));
  const isFirst = (edge: string) =>
    edge.split(' ↔ ').every((name, at, [first = '']) => at === 0 || name > first);
  const pairs = [...edges].filter((edge) => isMutual(edge) && isFirst(edge));
  assert.deepEqual(pairs, []);
});

const exported = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

test('every exported name is defined once', () => {
  const homes = new Map<string, string[]>();
  for (const file of sources.filter(isOurs)) {
    if (!/(?<!\.d)\.ts$/.test(file)) continue;
    for (const [, name = ''] of read(file).matchAll(exported)) {
      // Overloads stand in one file.
      const known = homes.get(name) ?? [];
      if (!known.includes(file)) homes.set(name, [...known, file]);
    }
  }
  const twice = [...homes].filter(([, found]) => found.length > 1);
  assert.deepEqual(Object.fromEntries(twice), {});
});
