// SIGTERM, when something does not let a process end: the process waits for its bound.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databaseLink } from '../support/database-link.ts';
import { ownDatabase } from '../support/own-database.ts';
import { startForTest } from '../support/service-process.ts';

const database = await ownDatabase();

describe('a process that cannot end', { concurrency: true }, () => {
  for (const file of ['gateway/main.ts', 'workers/main.ts']) {
    test(`${file} ends all the same when Postgres is silent`, async (t) => {
      const link = await databaseLink(database.url);
      const { program } = await startForTest(t, file, link.url, {
        drainTime: 10,
        stopTimeout: 500,
      });
      link.freeze();
      process.kill(program.pid, 'SIGTERM');
      const code = await program.ended;
      // Whether something was under way that could not end depends on the moment.
      const isCutOff = /did not stop in time/.test(program.stdout());
      assert.equal(code, isCutOff ? 1 : 0, program.stdout() + program.stderr());
    });
  }

  test('is cut off, and its exit code says so', async (t) => {
    const { program } = await startForTest(t, 'test/support/never-stops.ts', database.url);
    process.kill(program.pid, 'SIGTERM');
    assert.equal(await program.ended, 1);
    assert.match(program.stdout(), /did not stop in time/);
  });
});
