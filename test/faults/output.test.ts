// Output without room: lines of a log are dropped, and the result of a command is missed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, writeSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { fileFolder } from '../support/folder.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { startProcess } from '../support/process.ts';
import { startUnheard } from '../support/service-process.ts';

const folder = await fileFolder();
const database = await ownDatabase();
const { token, sectionId } = await plantWithToken(database.url, smallRestaurant);

async function openForTest(t: TestContext, path: string, flags: string | number) {
  const file = await open(path, flags);
  t.after(() => file.close());
  return file;
}

/** The path of a pipe without room, whose reader reads nothing. */
async function makeFullPipe(t: TestContext): Promise<string> {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  await openForTest(t, path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { fd } = await openForTest(t, path, constants.O_WRONLY | constants.O_NONBLOCK);
  const fill = () => {
    for (;;) writeSync(fd, 'x');
  };
  assert.throws(fill, { code: 'EAGAIN' });
  return path;
}

describe('a gateway and a worker whose log takes nothing', () => {
  const outputs: [what: string, make: (t: TestContext) => Promise<string>][] = [
    ['a full disk', async () => '/dev/full'],
    ['a pipe without a reader', makeFullPipe],
  ];
  for (const [what, makeOutput] of outputs) {
    test(`work, and end when they are told to: ${what}`, async (t) => {
      const output = await makeOutput(t);
      // Each opens it separately: what has been opened once is blocking or not for all that share it.
      const start = async (file: string) =>
        startUnheard(t, file, database.url, (await openForTest(t, output, 'w')).fd);
      const gateway = await start('gateway/main.ts');
      const worker = await start('workers/main.ts');
      const client = createClient(gateway.port, `${smallRestaurant.slug}.localhost`);
      assert.equal((await client.get('/menu')).status, 200);
      const body = { category_id: sectionId, name: { it: 'Senza parole' } };
      (await createAdminClient(client, token).call('POST', '/items', body)).expect(201);
      await gateway.program.stop();
      await worker.program.stop();
    });
  }
});

for (const [what, file, args] of [
  ['a command', 'db/operator/cli/main.ts', ['tenant', 'list']],
  ['the description of the API', 'gateway/print-openapi.ts', []],
] as const) {
  test(`${what} whose result finds no room fails with a sentence`, async (t) => {
    const { fd: stdout } = await openForTest(t, '/dev/full', 'w');
    const env = { DATABASE_URL: database.url };
    const program = startProcess(file, { args: [...args], env, stdout });
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^The result cannot be written: ENOSPC[^\n]*\.\n$/);
  });
}

test('a line that follows one that was cut is whole', async (t) => {
  const path = join(folder, 'log');
  const { fd: stdout } = await openForTest(t, path, 'a');
  const program = startProcess('test/support/write-cut.ts', { stdout });
  assert.equal(await program.ended, 0, program.stderr());
  const lines = (await readFile(path, 'utf8')).split('\n');
  assert.deepEqual(lines, ['a'.repeat(299), 'b'.repeat(100), 'd', '']);
});
