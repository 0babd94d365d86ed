// An ordinary runner of Procfiles, which knows PORT alone, runs a gateway and a worker side by side.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../../support/database.ts';
import { killGroup } from '../../support/kill-group.ts';
import { isReady } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../..');
/** Below the ports of other tests; the runner counts up from it by a hundred a kind. */
const PORT = 8_600 + (process.pid % 90);

test('nf runs a gateway and a worker, each with an OPS_PORT of its own, and ends both', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const args = [join(root, 'node_modules/foreman/nf.js'), '--port', String(PORT), 'start'];
  const runner = spawn(process.execPath, args, {
    ...{ cwd: root, env: { PATH: process.env.PATH, DATABASE_URL: database.url } },
    ...{ detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const pid = runner.pid as number;
  t.after(() => killGroup(pid));
  let output = '';
  runner.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(runner, 'close');
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const [kind, opsPort] of [
    ['gateway', PORT + 1_010],
    ['worker', PORT + 100 + 1_010],
  ] as const) {
    await until(`the ${kind} is not ready`, () => {
      assert.ok(!hasEnded, output);
      return isReady(opsPort);
    });
  }
  // As Ctrl-C in a terminal does.
  process.kill(-pid, 'SIGINT');
  await ended;
  for (const kind of ['gateway', 'worker']) {
    assert.match(output, new RegExp(`${kind}.*"msg":"stopped"`), output);
  }
});
