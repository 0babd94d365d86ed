import type { TestContext } from 'node:test';
import { freePort } from './gateway.ts';
import { startProcess, type TestProcess } from './process.ts';

/** A process of the service and where it listens; a worker only on `opsPort`. */
export interface ProcessOfTest {
  program: TestProcess;
  port: number;
  opsPort: number;
}

/**
 * Starts a process that is gone when the test ends, however that ends. Nobody reaches its limit of
 * admin requests.
 */
export async function startForTest(
  t: TestContext,
  file: string,
  databaseUrl: string,
): Promise<ProcessOfTest> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const program = startProcess(file, {
    env: { DATABASE_URL: databaseUrl, LIMIT_ADMIN: '1000000', ...ports },
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
  return { program, port, opsPort };
}
