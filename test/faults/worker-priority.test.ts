import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';

test('a worker runs ten steps below the priority that it was started with', async (t) => {
  // Children inherit it. This file is a process of its own.
  os.setPriority(1);
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const env = { DATABASE_URL: database.url, OPS_PORT: String(await freePort()) };
  const worker = startProcess('workers/main.ts', { env });
  await worker.waitFor(/"msg":"started"/);
  const priority = os.getPriority(worker.pid);
  await worker.stop();
  assert.equal(priority, 11);
});
