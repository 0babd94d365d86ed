// A test file that never ends is named, and ends with its process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { compiledPath } from '../support/compiled-path.ts';
import { endBlocked, notesOfHung } from '../support/hung-files.ts';
import { until } from '../support/until.ts';

const FILE = 'odd.test.ts';
const beginning =
  "import { test } from 'node:test'; const wait = () => setInterval(() => {}, 1e6);";

/** Starts a process that runs one test file. */
async function start(t: TestContext, source: string, bound = 1e6) {
  const marks = await mkdtemp(join(tmpdir(), 'lavagna-hung-'));
  const shared = { files: [FILE], compiled: marks, marks, perProcess: 1, bound, restBound: 1 };
  const inTurn = compiledPath(
    process.env.TEST_COMPILED ?? '',
    resolve('test/support/run-in-turn.ts'),
  );
  const program = `import { runInTurn } from ${JSON.stringify(inTurn)};
    await runInTurn(${JSON.stringify(shared)});`;
  await writeFile(join(marks, 'odd.test.js'), `${beginning}${source}`);
  await writeFile(join(marks, 'package.json'), '{"type": "module"}');
  await writeFile(join(marks, 'run-0.js'), program);
  const env = { ...process.env, TEST_STATEMENTS: marks };
  const child = spawn(process.execPath, [join(marks, 'run-0.js')], { env });
  t.after(async () => {
    child.kill('SIGKILL');
    await rm(marks, { recursive: true });
  });
  return { marks, said: text(child.stderr), ended: once(child, 'exit') };
}

test('a test that never ends, ends its process, which names the file and what is open', async (t) => {
  const { marks, said, ended } = await start(t, "test('odd', () => new Promise(wait));", 300);
  assert.deepEqual(await ended, [1, null]);
  const sentence = /^odd\.test\.ts, in: odd, has not ended in 0\.3 s\. Open are: \d+ \w+/m;
  assert.match(await said, sentence);
  assert.match(notesOfHung(marks, [FILE]).join('\n'), sentence);
});

test('what a file leaves open, ends its process', async (t) => {
  const { said, ended } = await start(t, "wait(); test('odd', () => {});");
  assert.deepEqual(await ended, [1, null]);
  assert.match(await said, /^the process of odd\.test\.ts has not ended .*\d Timeout/m);
});

test('a file that blocks its process, is ended from outside', async (t) => {
  const { marks, ended } = await start(t, 'for (;;);');
  await until('the file is not taken', () => existsSync(join(marks, '0')));
  assert.deepEqual(endBlocked(marks, [FILE], 1e6), []);
  await until('it is not ended', () => endBlocked(marks, [FILE], 0)[0] === FILE);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.deepEqual(notesOfHung(marks, [FILE]), [`${FILE} has not ended.`]);
  assert.deepEqual(endBlocked(marks, [FILE], 0), []);
});
