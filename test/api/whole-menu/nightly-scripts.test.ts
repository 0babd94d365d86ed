// The scripts of gateway/INTEGRATE.md, run as they stand there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sentTables } from '../../support/sent-tables.ts';
import { tableService } from '../../support/table-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

const service = await tableService();
const text = await readFile(join(root, 'gateway/INTEGRATE.md'), 'utf8');

const { dishes, empty } = sentTables(() => service);

/** A block of code of the document. */
function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1];
  assert.ok(found, language);
  return found;
}

/** Lets Python find the names below localhost. */
const NAMES = `import socket
find = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: find("127.0.0.1", *rest, **more)
`;

const scripts = {
  sh: { file: 'night.sh', command: ['sh', 'night.sh'] },
  python: { file: 'night.py', command: ['python3', 'night.py'] },
  js: {
    file: 'night.mjs',
    command: [
      process.execPath,
      '--import',
      join(root, 'test/api/openapi/client/localhost-names.js'),
      'night.mjs',
    ],
  },
};

for (const [language, { file, command }] of Object.entries(scripts)) {
  test(`the nightly script changes prices, leaves texts alone and names a refused row: ${language}`, async (t) => {
    const [program = '', ...args] = command;
    // The script for the shell calls curl.
    const needed = language === 'sh' ? 'curl' : program;
    const isThere = await run(needed, ['--version']).then(
      () => true,
      (error) => error.code !== 'ENOENT',
    );
    if (!isThere) return t.skip(`${needed} is not installed`);
    await empty('en');
    const { folder } = service;
    const env = {
      ...{ PATH: process.env.PATH, PYTHONPATH: folder, TOKEN: service.token },
      LAVAGNA: `http://osteria.localhost:${service.gateway.port}`,
    };
    await writeFile(join(folder, 'sitecustomize.py'), NAMES);
    await writeFile(join(folder, file), block(language));
    const night = async (table: string) => {
      await writeFile(join(folder, 'till.csv'), table);
      return run(program, args, { cwd: folder, env }).catch((error) => error);
    };
    const first = await night(block('csv'));
    assert.deepEqual(Object.keys(await dishes()), ['Fish and chips', 'Cola'], first.stderr);
    const next = block('csv')
      .replace('Fish and chips', 'FISH')
      .replace('13.95', '14.50')
      .replace('4.80', '4.8x');
    const second = await night(next);
    assert.match(second.stdout, /Row 3, Cola, price “4.8x”|Row 4, Cola, price “4.8x”/);
    if (language !== 'sh') assert.equal(second.code, 1);
    const found = await dishes();
    assert.deepEqual(found['Fish and chips'], { section: 'Mains', cost: 14.5 });
    assert.deepEqual(found.Cola?.cost, { '0.3 l': 3.2, '0.5 l': 4.8 });
  });
}
