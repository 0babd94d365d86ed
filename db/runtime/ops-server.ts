import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { Registry } from 'prom-client';
import { memoizeAsync } from './memoize.ts';
import { OperatorError } from './operator-error.ts';
import { type Running, stopOnce } from './running.ts';

/** Of Lavagna, as the package tells it. */
export const { version }: { version: string } = createRequire(import.meta.url)(
  '../../package.json',
);

interface OpsServerOptions {
  port: number;
  /** Loads and makes the metrics, when they are first asked for. */
  metrics(): Promise<Registry>;
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
  const { port } = options;
  const loadMetrics = memoizeAsync(options.metrics);
  const answer = async (path: string | undefined): Promise<[number, string, string]> => {
    if (path === '/healthz') return [200, TEXT, `ok ${version}\n`];
    if (path === '/metrics') {
      const metrics = await loadMetrics();
      return [200, metrics.contentType, await metrics.metrics()];
    }
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
