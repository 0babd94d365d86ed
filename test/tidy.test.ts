// The part of our style that a program can check. Function lengths are the linter's business.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, read, sources, topFolder } from './support/sources.ts';

const maxFileLines = 400;
/** The formatter wraps code at 100; a comment on one line may be a little longer. */
const maxLineLength = 104;

test('only the gateway knows of HTTP statuses', () => {
  const status = /\b(status: [1-5]\d\d|successBody|errorBody|invalidBody|statusCode)\b/;
  const inner = sources.filter((file) => /^(workers|db)\//.test(file));
  // It reads the answers of receivers and of sites with pictures.
  const sender = 'workers/outgoing/send-request.ts';
  assert.deepEqual(
    inner.filter((file) => status.test(read(file))),
    [sender],
  );
});

test('the top level holds what the contract names and nothing else', () => {
  const names =
    '.ci .dockerignore .gitignore CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE Procfile README.md ' +
    'SECURITY.md bench biome.json compose.yaml db gateway package.json test tsconfig.json workers';
  const expected = new Set(names.split(' '));
  const found = new Set(files.map(topFolder));
  assert.deepEqual(
    [...found].filter((name) => !expected.has(name)),
    [],
  );
});

test('only the adapter touches the HTTP library', () => {
  const importers = sources.filter((file) => /from 'uWebSockets\.js'/.test(read(file)));
  const adapter = ['gateway/http/server.ts', 'gateway/http/listening.ts'];
  const outside = importers.filter((file) => !adapter.includes(file));
  assert.deepEqual(
    outside.filter((file) => topFolder(file) !== 'bench'),
    [],
  );
});

/** How statements begin. */
const beginnings = [
  'select\\s(?!=)|insert\\s+into\\s|update\\s+\\w+\\s+set\\s|delete\\s+from\\s|with\\s+\\w+\\s+as\\s',
  '(create|alter|drop)\\s+(table|index|role|database|schema)\\s|truncate\\s|analyze\\s',
  '(un)?listen\\s+(\\w+|\\$\\{[^}]*\\})[\'"`]|set\\s+(local\\s+)?\\w+\\s*=',
].join('|');
/** A text that is a statement, in small or capital letters, where no tag stands before it. */
const untaggedStatement = new RegExp(
  `(?<![\\w)])['"\`]\\s*(${beginnings}|${beginnings.replace(/(?<!\\)[a-z]+/g, (word) => word.toUpperCase())})`,
);
test('every statement goes through the tag of slonik, in db/ only', () => {
  const product = sources.filter((file) => ['gateway', 'workers', 'db'].includes(topFolder(file)));
  const bare = product.filter((file) => untaggedStatement.test(read(file)));
  assert.deepEqual(bare, [], 'statements without the tag');
  const inRooms = /^db\/(sql|postgres)\//;
  const tagged = /\bsql\.(type|value|nothing|prepared|fragment|unsafe|typeAlias)\b/;
  const elsewhere = product.filter((file) => !inRooms.test(file) && tagged.test(read(file)));
  assert.deepEqual(elsewhere, [], 'statements outside of db/sql and db/postgres');
  const drivers = /from '(pg|slonik)'/;
  const importers = product.filter((file) => topFolder(file) !== 'db' && drivers.test(read(file)));
  assert.deepEqual(importers, [], 'the drivers outside of db');
  // The files of migrations are many statements each, and the queue has statements of its own.
  const senders = /^db\/(postgres|queue)\/|^db\/operator\/database\/migrate\.ts$/;
  const sends = /\.(query|executeSql)\(/;
  const direct = product.filter((file) => !senders.test(file) && sends.test(read(file)));
  assert.deepEqual(direct, [], 'statements that are sent outside of these');
});

test('a statement without the tag is found, and one with it is not', () => {
  const found = ["query('select 1')", '(`\n  DELETE FROM x`)', "('listen news')"];
  for (const text of found) assert.match(text, untaggedStatement);
  const fine = [
    'sql.nothing`select`',
    'sql.type(row)`select a from b`',
    "text('Select a section')",
  ];
  for (const text of fine) assert.doesNotMatch(text, untaggedStatement);
});

test('every long-lived part is stopped by stopOnce, however often it is asked to stop', () => {
  const own = /\bstop(: (async )?\(\) => (?!Promise)|\(\) \{)/;
  const product = sources.filter((file) => /^(gateway|workers|db)\/.*\.ts$/.test(file));
  const found = product.filter((file) => own.test(read(file)));
  assert.deepEqual(found, ['db/runtime/running.ts']);
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
  '\\b(whoever|whomever|whom|nobody|no one|of which|heed(s|ed)?|thereof|thereby|hence|lest|' +
    'by itself|by themselves|in turn with|(is|are|was|were|be) let|(is|are) let go)\\b',
  'i',
);
/** The contract and the licence are not ours to word, and an applied migration never changes. */
const wordedElsewhere = /^(LICENSE|gateway\/SPEC\.md|db\/migrations\/.*\.sql)$/;
/** The account of every system, as code and comments name it. */
const account = /['`]nobody['`]|postgres or nobody/g;
/** Findings that programs may compare are published with the word. */
const published = /^(db\/texts\/en\.json|test\/unit\/analytics\/report-texts\.test\.ts)$/;

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

/** Marks of involved sentences: a clause in a clause, a reason by "for", a verb kept for the end. */
const involved = new RegExp(
  [
    '[,;] for (it|they|we|there|nothing|none)\\b',
    '\\b(whose|which|who)\\b[^.;:,]{0,40}\\b(whose|to whom)\\b',
    '\\b(is|are) whose\\b',
    ', which [^.;:,]{0,60} and which\\b',
    '\\b(is|are|was|were) not to [a-z]+ [a-z]+ from\\b',
    '\\bas [a-z]+ as (was|were) [a-z]+\\b',
    '^That [^.]{0,80}, is (told|said|known)\\b',
  ].join('|'),
  'i',
);

test('no sentence has a clause in a clause or a reason by "for"', () => {
  const prose = files.filter((file) => /\.(md|ts|js|css)$/.test(file));
  const hits = prose
    .filter((file) => !wordedElsewhere.test(file) && file !== 'test/tidy.test.ts')
    .flatMap((file) =>
      paragraphs(file).map((text) => ({ file, text: text.replaceAll(/\s*\*?\s+/g, ' ') })),
    )
    .filter(({ text }) => involved.test(text))
    .map(({ file, text }) => `${file}: ${involved.exec(text)?.[0]}`);
  assert.deepEqual(hits, []);
});

/** The paragraphs of a document's text, or of the comments of code. */
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

/** Every sentence of documents and comments, as its words. */
const sentences = files
  .filter((file) => /\.(md|ts|js|css|sql)$/.test(file) && !wordedElsewhere.test(file))
  .flatMap((file) =>
    paragraphs(file)
      .flatMap((paragraph) => paragraph.trim().split(/(?<=[.!?:;])\s+|\s·\s/))
      .map((sentence) => ({ file, words: sentence.split(/\s+/) })),
  );

function sentencesWhere(isHard: (words: readonly string[]) => boolean): string[] {
  return sentences
    .filter(({ words }) => isHard(words))
    .map(({ file, words }) => `${file}: ${words.join(' ')}`);
}

test('no sentence has more than thirty words', () => {
  assert.deepEqual(
    sentencesWhere((words) => words.length > 30),
    [],
  );
});

test('no statement begins with "what": it names its subject', () => {
  const begins = ([first = '', ...others]: readonly string[]) =>
    first === 'What' && !others.at(-1)?.endsWith('?');
  assert.deepEqual(sentencesWhere(begins), []);
});

/** Names that are a riddle, and names that say it in plain words. */
const riddles: Record<string, string> = {
  AskForPast: 'a name of the request',
  askForPast: 'a name of the request',
  bounds: 'constants',
  cellsOf: 'a name of the result',
  distrust: 'markStale',
  heedClock: 'a name of the effect',
  keepHouse: 'retention',
  knownMenus: 'menuCache',
  limitHeads: 'rateLimitHeaders',
  Pieces: 'a name of the parts',
  remembered: 'a name of the values',
  room: 'size',
  runningUntil: 'a name of the end',
  seen: 'a name of the values',
  sentenceOf: 'a name of the text',
  shownIn: 'a name of the texts',
  stage: 'pages or setup',
  Stage: 'Pages or Setup',
  together: 'a name of the result',
  Visit: 'PanelRequest',
};

test('no name is a riddle, of a declaration or of a file', () => {
  const declared = /\b(?:const|let|function|class|interface|type) (\w+)/g;
  const hits = sources.flatMap((file) => {
    const names = Array.from(read(file).matchAll(declared), ([, name = '']) => name);
    const own = file.replace(/.*\/|\..*/g, '');
    return [...new Set([own, ...names])]
      .filter((name) => Object.hasOwn(riddles, name))
      .map((name) => `${file}: ${name}, better ${riddles[name]}`);
  });
  assert.deepEqual(
    hits.filter((hit) => !hit.startsWith('test/tidy.test.ts')),
    [],
  );
});

/** Files that a document names in code, such as `gateway/http/server.ts`, from the top level or beside it. */
function namedPaths(document: string): string[] {
  const folders = files.map(topFolder).join('|').replaceAll('.', '\\.');
  const path = new RegExp(`\\x60((?:${folders})/[\\w./-]*)\\x60`, 'g');
  return Array.from(read(document).matchAll(path), ([, name = '']) => name);
}

test('documents name files that exist, and link to headings that exist', () => {
  const documents = files.filter((file) => file.endsWith('.md'));
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
