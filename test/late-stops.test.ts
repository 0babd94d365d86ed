// SIGTERM, when something does not let a process end: it waits for its bound, all of these at a time.
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { createDatabaseLink } from './support/database-link.ts';
import { freePort } from './support/gateway.ts';
import { startProcess, type TestProcess } from './support/process.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** Starts a process that is gone when the test ends, however that ends. */
async function start(t: TestContext, file: string, databaseUrl: string): Promise<TestProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const program = startProcess(file, {
    env: { DATABASE_URL: databaseUrl, PORT: String(port), OPS_PORT: String(opsPort) },
  });
  let hasEnded = false;
  void program.ended.then(() => {
    hasEnded = true;
  });
  t.after(async () => {
    if (!hasEnded) process.kill(program.pid, 'SIGKILL');
    await program.ended;
  });
  await program.waitFor(/"msg":"started"/);
  return program;
}

describe('a process that cannot end', { concurrency: true }, () => {
  for (const file of ['gateway/main.ts', 'workers/main.ts']) {
    test(`${file} ends all the same when Postgres is silent`, async (t) => {
      const link = await createDatabaseLink(database.url);
      const program = await start(t, file, link.url);
      link.freeze();
      process.kill(program.pid, 'SIGTERM');
      const code = await program.ended;
      await link.stop();
      // Whether something was under way that could not end depends on the moment.
      const isCutOff = /did not stop in time/.test(program.stdout());
      assert.equal(code, isCutOff ? 1 : 0, program.stdout() + program.stderr());
    });
  }

  test('is cut off, and its exit code says so', async (t) => {
    const program = await start(t, 'test/support/never-stops.ts', database.url);
    process.kill(program.pid, 'SIGTERM');
    assert.equal(await program.ended, 1);
    assert.match(program.stdout(), /did not stop in time/);
  });
});
