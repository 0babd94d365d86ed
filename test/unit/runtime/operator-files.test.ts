// The files by which operators run Lavagna say the same as each other and as the code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { variables } from '../../../db/runtime/config.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const deploy = read('gateway/DEPLOY.md');
const compose = parse(read('compose.yaml'), { merge: true });

/** A container has one process, ports of its own, and no embedded Postgres. */
const NOT_IN_CONTAINERS = ['PORT', 'OPS_PORT', 'DATA_DIR', 'FORMATION'];

test('compose.yaml passes every variable of the configuration', () => {
  for (const service of ['gateway', 'worker', 'migrate']) {
    const passed = Object.keys(compose.services[service].environment);
    const wanted = Object.keys(variables.entries).filter((name) => {
      return !NOT_IN_CONTAINERS.includes(name);
    });
    assert.deepEqual(new Set(passed), new Set(wanted), service);
  }
});

test('compose.yaml and its upgrade keep the order of Upgrade: workers stop, migrate, workers, gateways', () => {
  const { migrate, worker, gateway } = compose.services;
  assert.equal(migrate.depends_on.postgres.condition, 'service_healthy');
  assert.equal(worker.depends_on.migrate.condition, 'service_completed_successfully');
  assert.equal(gateway.depends_on.worker.condition, 'service_started');
  const command = 'docker compose build && docker compose stop worker && docker compose up -d';
  assert.ok(deploy.includes(`\n${command}\n`));
  assert.ok(read('compose.yaml').includes(`# Upgrade: ${command}\n`));
});

/** The commands that run a file, without the path of Node. */
function commandsFor(text: string, file: string): string[] {
  const commands = text.replaceAll('", "', ' ').matchAll(/\bnode ([^\n`"]*?) ([a-z]+\/main\.ts)/g);
  return [...commands].flatMap(([, options, run]) => (run === file ? [options ?? ''] : []));
}

const OPTIONS = {
  'gateway/main.ts': '--max-semi-space-size=8 --heap-growing-percent=50 --import tsx',
  'workers/main.ts': '--max-semi-space-size=8 --heap-growing-percent=50 --import tsx',
};

test('a process is started with the same options wherever it is started', () => {
  const places = ['Procfile', 'package.json', 'Dockerfile', 'compose.yaml', 'gateway/DEPLOY.md'];
  for (const [file, options] of Object.entries(OPTIONS)) {
    const found = places.flatMap((place) => commandsFor(read(place), file));
    assert.ok(found.length >= 4, `${file}: ${found.length}`);
    assert.deepEqual(new Set(found), new Set([options]), file);
  }
});

/** The units that DEPLOY shows, by their names. */
function unitsOf(text: string): Map<string, string> {
  const [unit = ''] = /\[Unit\]\nDescription=Lavagna gateway[\s\S]*?(?=\n```)/.exec(text) ?? [];
  const workers = unit.replaceAll('gateway', 'worker').replaceAll('909%i', '919%i');
  const units = { 'lavagna-gateway@.service': unit, 'lavagna-worker@.service': workers };
  return new Map(Object.entries(units));
}

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd rates the units below 3', { skip: !hasAnalyzer && 'systemd is not here' }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lavagna-units-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, unit] of unitsOf(deploy)) {
    const path = join(folder, name.replace('@', '@1'));
    writeFileSync(path, unit);
    const args = ['security', '--offline=true', '--no-pager', path];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(exposure < 3, `${name}: ${exposure}\n${stderr}${stdout}`);
  }
});

test('Node is said once, and engines names what the tests run on', () => {
  assert.equal(JSON.parse(read('package.json')).engines.node, '^24 || ^22.12 || ^20.20');
  assert.ok(deploy.includes('Node 24, 22.12 or 20.20'));
  for (const place of ['README.md', 'test/README.md']) {
    assert.match(read(place), /DEPLOY\.md`, "Which Node"/, place);
  }
});
