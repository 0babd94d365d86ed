// What of our style can be checked. Function lengths are the linter's business.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const maxFileLines = 400;
/** The formatter wraps code at 100; a comment on one line may be a little longer. */
const maxLineLength = 104;

/** Every file that is or would be committed. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('package-lock.json'));
const sources = files.filter((file) => /\.(ts|js|mjs)$/.test(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const room = (file: string) => file.split('/')[0] ?? '';

interface Import {
  from: string;
  /** As it is written. */
  target: string;
  to: string;
}

/** The imports of files of ours by each other, with paths below the repository. */
const imports = sources.flatMap((from): Import[] =>
  Array.from(read(from).matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g), ([, target = '']) => ({
    ...{ from, target },
    to: join(dirname(from), target),
  })),
);

/** Which rooms each room may import from, besides itself. */
const mayImport: Record<string, string[]> = {
  gateway: ['db'],
  workers: ['db'],
  db: [],
  bench: [],
  test: ['gateway', 'workers', 'db', 'bench'],
};

test('rooms import only in the direction gateway → db ← workers', () => {
  for (const { from, target, to } of imports) {
    const allowed = room(to) === room(from) || (mayImport[room(from)] ?? []).includes(room(to));
    assert.ok(allowed, `${from} imports ${target}: ${room(from)} may not import ${room(to)}`);
  }
});

/** Which folders of db/ each of them may import from, besides itself. */
const mayImportInDb: Record<string, string[]> = {
  operator: ['queue', 'snapshot', 'sql', 'migrations', 'schema', 'postgres', 'runtime'],
  queue: ['sql', 'schema', 'postgres', 'runtime'],
  snapshot: ['sql', 'schema', 'postgres', 'runtime'],
  sql: ['schema', 'postgres', 'runtime'],
  migrations: ['postgres', 'runtime'],
  schema: ['runtime'],
  postgres: ['runtime'],
  runtime: [],
};

test('the folders of db import only what stands below them', () => {
  const folder = (file: string) => file.split('/')[1] ?? '';
  for (const { from, target, to } of imports.filter(({ from }) => room(from) === 'db')) {
    const allowed =
      folder(to) === folder(from) || mayImportInDb[folder(from)]?.includes(folder(to));
    assert.ok(allowed, `${from} imports ${target}: ${folder(from)} may not import ${folder(to)}`);
  }
});

/** Which rooms of the gateway may not import which. */
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
    for (const file of sources.filter((one) => one.startsWith(under))) {
      for (const [, target = ''] of read(file).matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)) {
        const to = join(dirname(file), target);
        assert.ok(!forbidden.test(to), `${file} may not import ${target}`);
      }
    }
  }
});

test('only the gateway knows of HTTP statuses', () => {
  const status = /\b(status: [1-5]\d\d|successBody|errorBody|invalidBody|statusCode)\b/;
  const inner = sources.filter((file) => /^(workers|db)\//.test(file));
  assert.deepEqual(
    inner.filter((file) => status.test(read(file))),
    [],
  );
});

test('the top level holds what the contract names and nothing else', () => {
  const names =
    '.ci .dockerignore .gitignore CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE Procfile README.md ' +
    'SECURITY.md bench biome.json compose.yaml db gateway package.json test tsconfig.json workers';
  const expected = new Set(names.split(' '));
  const found = new Set(files.map(room));
  assert.deepEqual(
    [...found].filter((name) => !expected.has(name)),
    [],
  );
});

test('only the adapter touches the HTTP library', () => {
  const importers = sources.filter((file) => /from 'uWebSockets\.js'/.test(read(file)));
  const outside = importers.filter((file) => file !== 'gateway/http/server.ts');
  assert.deepEqual(
    outside.filter((file) => room(file) !== 'bench'),
    [],
  );
});

test('SQL lives in db/ only', () => {
  const statements = /\b(sql\.(type|typeAlias|prepared|fragment|unsafe)\b|executeSql\()/;
  const outside = sources.filter((file) => ['gateway', 'workers'].includes(room(file)));
  assert.deepEqual(
    outside.filter((file) => statements.test(read(file))),
    [],
  );
});

test('a file holds one idea and is named for it', () => {
  const catchAll = /(^|[/.-])(utils?|helpers?|common|misc|shared|stuff)([/.-]|$)/i;
  assert.deepEqual(
    sources.filter((file) => catchAll.test(file)),
    [],
  );
  const long = sources.filter((file) => read(file).split('\n').length > maxFileLines + 1);
  assert.deepEqual(long, [], `files of more than ${maxFileLines} lines`);
});

test('lines fit, unless a single text makes them long', () => {
  const long = sources.flatMap((file) =>
    read(file)
      .split('\n')
      .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
      .filter(({ line }) => line.length > maxLineLength && !/['"`].{60,}/.test(line))
      .map(({ at }) => at),
  );
  assert.deepEqual(long, []);
});

test('nothing is left over: no exclusive or skipped tests, no notes to self', () => {
  const leftOver = /\b(test|describe|it)\.(only|skip|todo)\(|\b(TODO|FIXME|XXX)\b/;
  const offenders = sources.filter(
    (file) => file !== 'test/tidy.test.ts' && leftOver.test(read(file)),
  );
  assert.deepEqual(offenders, []);
});

/** Words and phrases that a reader who learned English at school stumbles over. */
const hardWords = new RegExp(
  '\\b(whoever|whomever|whom|nobody|no one|of which|heed(s|ed)?|thereof|by itself|by themselves|' +
    '(is|are) let)\\b',
  'i',
);
/** The contract and the licence are not ours to word, and an applied migration never changes. */
const wordedElsewhere = /^(LICENSE|gateway\/SPEC\.md|db\/migrations\/.*\.sql)$/;
/** The account of every system, as code and comments name it. */
const account = /['`]nobody['`]|postgres or nobody/g;
/** Findings that programs may compare are published with the word. */
const published =
  /^(gateway\/analytics\/reports\/findings\/texts|test\/unit\/report-texts\.test)\.ts$/;

test('no text has a word that is hard to understand', () => {
  const hits = files
    .filter((file) => /\.(md|ts|js|css|html|sql|ya?ml|json)$/.test(file))
    .filter((file) => !wordedElsewhere.test(file) && !published.test(file))
    .filter((file) => file !== 'test/tidy.test.ts')
    .flatMap((file) =>
      read(file)
        .split('\n')
        .map((line, index) => ({ line: line.replace(account, ''), at: `${file}:${index + 1}` }))
        .filter(({ line }) => hardWords.test(line))
        .map(({ line, at }) => `${at}: ${line.trim()}`),
    );
  assert.deepEqual(hits, []);
});

/** What a file tells its readers, in paragraphs: a document's text, or the comments of code. */
function paragraphs(file: string): string[] {
  const text = read(file);
  if (file.endsWith('.md')) {
    const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/^(?: {4}|\||#).*$/gm, '');
    return prose.split(/\n\s*\n|^\s*(?:- |\d+\. )/m);
  }
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--).*\n)+/gm) ?? [];
  return comments.flatMap((comment) =>
    comment.replaceAll(/^\s*(?:\/\*\*?|\*|\/\/|--)/gm, '').split(/\n\s*\n|@\w+ /),
  );
}

test('no sentence has more than thirty words', () => {
  const long = files
    .filter((file) => /\.(md|ts|js|css|sql)$/.test(file))
    // The contract is not ours alone, and migrations that were applied stay as they are.
    .filter((file) => !/SPEC\.md$|^db\/migrations\/.*\.sql$/.test(file))
    .flatMap((file) =>
      paragraphs(file)
        .flatMap((paragraph) => paragraph.trim().split(/(?<=[.!?:;])\s+|\s·\s/))
        .map((sentence) => sentence.split(/\s+/))
        .filter((words) => words.length > 30)
        .map((words) => `${file}: ${words.join(' ')}`),
    );
  assert.deepEqual(long, []);
});

/** Files that a document names in code, such as `gateway/http/server.ts`, from the top level or beside it. */
function namedPaths(document: string): string[] {
  const folders = files.map(room).join('|').replaceAll('.', '\\.');
  const path = new RegExp(`\\x60((?:${folders})/[\\w./-]*)\\x60`, 'g');
  return Array.from(read(document).matchAll(path), ([, name = '']) => name);
}

test('documents name files that exist, and link to headings that exist', () => {
  const documents = files.filter(
    (file) => file.endsWith('.md') && !file.startsWith('bench/notes/'),
  );
  const present = (path: string) => files.some((file) => file === path || file.startsWith(path));
  for (const document of documents) {
    const missing = namedPaths(document).filter((path) => !present(path) && !/NNN/.test(path));
    assert.deepEqual(missing, [], document);
    const anchors = Array.from(read(document).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = Array.from(read(document).matchAll(/\]\(#([^)]+)\)/g), ([, link = '']) => link);
    assert.deepEqual(
      links.filter((link) => !anchors.includes(link)),
      [],
      document,
    );
  }
});

test('dependencies are pinned and the lock file names no download address', () => {
  const manifest = JSON.parse(read('package.json'));
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const [name, version] of versions) {
    assert.match(String(version), /^(npm:[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} is pinned`);
  }
  assert.ok(!read('package-lock.json').includes(`"resolved"`));
});
