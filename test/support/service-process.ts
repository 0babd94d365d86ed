import type { TestContext } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { assertNoSecrets } from './collected-log.ts';
import { afterFile } from './for-file.ts';
import { patience, workerPatience } from './patience.ts';
import { type StartOptions, startProcess, type TestProcess } from './process.ts';
import { until } from './until.ts';

/** A process of the service and where it listens; a worker only on `opsPort`. */
export interface ServiceProcess {
  program: TestProcess;
  port: number;
  opsPort: number;
}

const STARTED = /"msg":"started"/;
/** Whether a process says on its OPS_PORT that it wants work. */
export async function isReady(opsPort: number): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  try {
    return (await fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal })).ok;
  } catch {
    return false;
  }
}

const PATIENCE: Partial<Record<string, Partial<Constants>>> = {
  'gateway/main.ts': patience,
  'workers/main.ts': workerPatience,
};

async function launch(
  file: string,
  databaseUrl: string,
  more: Record<string, string> = {},
  changed: Partial<Constants> = {},
  how: Pick<StartOptions, 'stdout' | 'isSource'> = {},
): Promise<ServiceProcess> {
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) };
  const env = { DATABASE_URL: databaseUrl, LIMIT_ADMIN: '1000000', ...ports, ...more };
  const constants = { ...PATIENCE[file], ...changed };
  const program = PATIENCE[file]
    ? startProcess('test/support/changed-process.ts', {
        args: [file],
        env: { ...env, CONSTANTS: JSON.stringify(constants) },
        ...how,
      })
    : startProcess(file, { env, ...how });
  const stop = async () => {
    await program.stop();
    // Other lines may tell a secret on purpose, such as a password of the demo.
    const lines = program.stdout().split('\n');
    assertNoSecrets(lines.filter((line) => line.startsWith('{')));
  };
  return {
    program: { ...program, stop },
    ...{ port: Number(env.PORT), opsPort: Number(env.OPS_PORT) },
  };
}

/**
 * Starts a process on ports of its own, unless `env` has others. It is as patient as the slowest
 * machine needs, and no test reaches its limit of admin requests.
 *
 * @param changed replaces constants of the process
 */
export async function startService(
  file: string,
  databaseUrl: string,
  env?: Record<string, string>,
  changed?: Partial<Constants>,
  how?: Pick<StartOptions, 'isSource'>,
): Promise<ServiceProcess> {
  const service = await launch(file, databaseUrl, env, changed, how);
  await service.program.waitFor(STARTED);
  return service;
}

/** As `startService`; stopped with the tests of the file, unless one of them has killed it. */
export async function fileService(
  ...args: Parameters<typeof startService>
): Promise<ServiceProcess> {
  const service = await startService(...args);
  const { ended, isRunning, stop } = service.program;
  afterFile(async () => {
    if (isRunning() || (await ended) !== 'SIGKILL') await stop();
  });
  return service;
}

/** The same for a process that is gone when the test ends, however that ends. */
export async function startForTest(
  t: TestContext,
  file: string,
  databaseUrl: string,
  changed?: Partial<Constants>,
  env?: Record<string, string>,
): Promise<ServiceProcess> {
  const service = await launch(file, databaseUrl, env, changed);
  endAfter(t, service);
  await service.program.waitFor(STARTED);
  return service;
}

/** The same for one that writes to this descriptor, where no test reads that it has started. */
export async function startUnheard(
  t: TestContext,
  file: string,
  databaseUrl: string,
  stdout: number,
  changed?: Partial<Constants>,
): Promise<ServiceProcess> {
  const service = await launch(file, databaseUrl, {}, changed, { stdout });
  endAfter(t, service);
  await until(`${file} is not ready`, () => isReady(service.opsPort));
  return service;
}

/** Kills it with the test, if the test has not ended it. */
function endAfter(t: TestContext, { program: { isRunning, kill } }: ServiceProcess): void {
  t.after(async () => {
    if (isRunning()) await kill();
  });
}
