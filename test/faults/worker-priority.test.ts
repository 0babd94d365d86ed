import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service-process.ts';

test('a worker runs ten steps below the priority that it was started with', async (t) => {
  // Children inherit it. This file is a process of its own.
  os.setPriority(1);
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const { program } = await startService('workers/main.ts', database.url);
  const priority = os.getPriority(program.pid);
  await program.stop();
  assert.equal(priority, 11);
});
