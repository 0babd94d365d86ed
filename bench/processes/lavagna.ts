import type { Server } from '../peers/peer.ts';
import { repository, scriptCommand, startChild } from './child.ts';
import { pinRunning } from './cores.ts';
import { freePort } from './free-port.ts';
import { type Running, running } from './running.ts';
import {
  BENCHMARK_ENV,
  readMetric,
  type ServiceProcessOptions,
  startServiceProcess,
  untilReady,
} from './service-process.ts';
import { commandLine, environmentOf, processTree } from './usage.ts';

/** Processes of a formation, each with an ops port of its own. */
const MAX_PROCESSES = 4;
/** One gateway process, alone or as part of a whole Lavagna. */
export interface Gateway extends Server {
  pid: number;
  opsPort: number;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
}

/** Lavagna as `npm start` runs it: Postgres, worker and gateway. */
export interface Lavagna extends Running {
  /** The process whose descendants are all others. */
  pid: number;
  gateway: Gateway;
  databaseUrl: string;
}

function gatewayOf(
  name: string,
  pid: number,
  port: number,
  opsPort: number,
  stop: () => Promise<void>,
): Gateway {
  const metric = (metricName: string) => readMetric(opsPort, metricName);
  return running({ name, pid, pids: [pid], port, opsPort, metric, stop });
}

/**
 * Starts everything, as `npm start` in the checkout `folder` does. It uses the database of DATABASE_URL
 * when that is set, else the embedded Postgres of `dataDir`. The gateway runs on any core.
 */
export async function startLavagna(
  dataDir: string,
  env: Record<string, string> = {},
  folder = repository,
): Promise<Lavagna> {
  const port = await freePort();
  const opsPort = await freePort(MAX_PROCESSES);
  const child = await startChild(scriptCommand(folder, 'start'), {
    folder,
    env: {
      ...BENCHMARK_ENV,
      DATA_DIR: dataDir,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ...env,
    },
  });
  await untilReady(child, opsPort);
  const pid = processTree(child.pid).find((each) => commandLine(each).includes('gateway/main.ts'));
  if (pid === undefined) throw new Error('Lavagna started without a gateway');
  const gateway = gatewayOf('Lavagna', pid, port, opsPort, child.stop);
  // The address of the embedded Postgres is in the environment of its clients only.
  const databaseUrl = environmentOf(pid, 'DATABASE_URL');
  if (databaseUrl === undefined) throw new Error('the gateway has no DATABASE_URL');
  return running({ pid: child.pid, gateway, databaseUrl, stop: child.stop });
}

interface GatewayOptions extends ServiceProcessOptions {
  /** False lets it run on any core. */
  isPinned?: boolean;
}

/** Starts another gateway, as `npm run gateway` does, beside a running Lavagna. */
export async function startGateway(
  name: string,
  databaseUrl: string,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const { isPinned = true, ...others } = options;
  const { pid, port, opsPort, stop } = await startServiceProcess(
    'gateway/main.ts',
    databaseUrl,
    others,
  );
  if (isPinned) pinRunning('server', pid);
  return gatewayOf(name, pid, port, opsPort, stop);
}
