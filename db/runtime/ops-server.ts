import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { OperatorError } from './operator-error.ts';
import { type Running, stopOnce } from './running.ts';

/** Gauges of the library whose names say that they are counters. The gauges by kind stay. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

const { version } = createRequire(import.meta.url)('../../package.json');

/**
 * The metrics that every process has, among them its version (`lavagna_build_info`) and the event
 * loop's delay: `nodejs_eventloop_lag_p99_seconds`.
 *
 * @param lagInterval how often the event loop's delay is measured, in ms; an idle process has it as
 *   its delay. Every 10 ms takes 0.3 % of a core, every 50 ms 0.1 %.
 */
export function createProcessMetrics(lagInterval: number): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: lagInterval });
  for (const name of MISNAMED) metrics.removeSingleMetric(name);
  const help = 'Always 1; its label is the version that runs.';
  const labelNames = ['version'];
  new Gauge({ name: 'lavagna_build_info', help, labelNames, registers: [metrics] }).set(
    { version },
    1,
  );
  return metrics;
}

interface OpsServerOptions {
  port: number;
  metrics: Registry;
  /** Why this process should get no work now, or null when it should. */
  unready(): string | null;
}

const TEXT = 'text/plain; charset=utf-8';

/**
 * Serves the operators' port: `/healthz` (the process runs, and its version), `/readyz` (it wants work; the reason
 * when it does not) and `/metrics` in Prometheus' format.
 *
 * @throws OperatorError when the port is taken
 */
export async function startOpsServer(options: OpsServerOptions): Promise<Running> {
  const { port, metrics } = options;
  const answer = async (path: string | undefined): Promise<[number, string, string]> => {
    if (path === '/healthz') return [200, TEXT, `ok ${version}\n`];
    if (path === '/metrics') return [200, metrics.contentType, await metrics.metrics()];
    if (path !== '/readyz') return [404, TEXT, 'not found\n'];
    const reason = options.unready();
    return [reason === null ? 200 : 503, TEXT, `${reason ?? 'ready'}\n`];
  };
  const server = createServer(async (request, response) => {
    // A figure that cannot be had must not end the process that it is about.
    const [status, type, body] = await answer(request.url?.split('?')[0]).catch(
      (error): [number, string, string] => [500, TEXT, `${error}\n`],
    );
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code})`;
      reject(new OperatorError(`The port ${port} (OPS_PORT) ${reason}.`, { cause }));
    });
    server.listen(port, resolve);
  });
  return stopOnce(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
}
