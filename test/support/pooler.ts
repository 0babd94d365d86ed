import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const UNKNOWN = ['statement_timeout', 'options'];

/** An error in Postgres' protocol. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * A way to the database of `url` that takes at connecting what PgBouncer takes by default.
 *
 * @param most connections at a time: others wait
 */
export async function createPooler(
  url: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ url: string; stop(): void }> {
  const target = new URL(url);
  let open = 0;
  const server = createServer(async (near) => {
    near.on('error', () => near.destroy());
    const [startup] = await once(near, 'data');
    if (open >= most) return;
    open += 1;
    near.on('close', () => {
      open -= 1;
    });
    const words = String(startup).split('\0');
    const unknown = UNKNOWN.find((name) => words.includes(name));
    if (unknown !== undefined) {
      near.end(refusal(`unsupported startup parameter: ${unknown}`));
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    far.write(startup);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.port = String((server.address() as { port: number }).port);
  return { url: through.href, stop: () => server.close() };
}
