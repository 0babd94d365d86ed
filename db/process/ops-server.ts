import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { OperatorError } from './operator-error.ts';
import { type Running, runningUntil } from './running.ts';

export interface OpsServerOptions {
  port: number;
  metrics: Registry;
  /** Why this process should get no work now, or null when it should. */
  unready(): string | null;
}

/**
 * Serves the operators' port: `/healthz` (the process runs), `/readyz` (it wants work; the reason
 * when it does not) and `/metrics` in Prometheus' format.
 *
 * @throws OperatorError when the port is taken
 */
export async function startOpsServer(options: OpsServerOptions): Promise<Running> {
  const { port, metrics } = options;
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(body);
    };
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return send(200, 'text/plain; charset=utf-8', 'ok\n');
    if (path === '/metrics') return send(200, metrics.contentType, await metrics.metrics());
    if (path !== '/readyz') return send(404, 'text/plain; charset=utf-8', 'not found\n');
    const reason = options.unready();
    return send(reason === null ? 200 : 503, 'text/plain; charset=utf-8', `${reason ?? 'ready'}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code})`;
      reject(new OperatorError(`The port ${port} (OPS_PORT) ${reason}.`, { cause }));
    });
    server.listen(port, resolve);
  });
  return runningUntil(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
}
