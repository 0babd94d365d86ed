import type { TestContext } from 'node:test';
import { freePort } from '../../bench/stage/free-port.ts';
import { startProcess, type TestProcess } from './process.ts';

/** A process of the service and where it listens; a worker only on `opsPort`. */
export interface ServiceProcess {
  program: TestProcess;
  port: number;
  opsPort: number;
}

const STARTED = /"msg":"started"/;

async function launch(
  file: string,
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<ServiceProcess> {
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) };
  const env = { DATABASE_URL: databaseUrl, LIMIT_ADMIN: '1000000', ...ports, ...more };
  const program = startProcess(file, { env });
  return { program, port: Number(env.PORT), opsPort: Number(env.OPS_PORT) };
}

/**
 * Starts a process on ports of its own, unless `env` has others; nobody reaches its limit of admin
 * requests.
 */
export async function startService(
  file: string,
  databaseUrl: string,
  env?: Record<string, string>,
): Promise<ServiceProcess> {
  const service = await launch(file, databaseUrl, env);
  await service.program.waitFor(STARTED);
  return service;
}

/** The same for a process that is gone when the test ends, however that ends. */
export async function startForTest(
  t: TestContext,
  file: string,
  databaseUrl: string,
): Promise<ServiceProcess> {
  const service = await launch(file, databaseUrl);
  const { program } = service;
  let hasEnded = false;
  void program.ended.then(() => {
    hasEnded = true;
  });
  t.after(async () => {
    if (!hasEnded) process.kill(program.pid, 'SIGKILL');
    await program.ended;
  });
  await program.waitFor(STARTED);
  return service;
}
