import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compiledPath } from '../support/compiled-path.ts';
import { fileFolder } from '../support/folder.ts';

const reporter = compiledPath(process.env.TEST_COMPILED ?? '', 'test/support/count-failures.ts');

/** The exit code of node's runner for a file with this text. */
async function codeOf(text: string): Promise<number | null> {
  const file = join(await fileFolder(), 'some.test.mjs');
  await writeFile(file, `import { after, describe, test } from 'node:test';\n${text}`);
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const args = ['--test', `--test-reporter=${reporter}`, file];
  return spawnSync(process.execPath, args, { env }).status;
}

test('a run fails when the set-up or the end of a file fails', async () => {
  const fail = "() => { throw new Error('a fault'); }";
  assert.equal(await codeOf("await describe('file', () => { test('one', () => {}); });"), 0);
  assert.equal(await codeOf(`await describe('file', ${fail});`), 1);
  const end = `describe('file', () => { test('one', () => {}); after(${fail}); });`;
  assert.equal(await codeOf(`await ${end}`), 1);
  assert.equal(await codeOf(`test('one', ${fail});`), 1);
});
