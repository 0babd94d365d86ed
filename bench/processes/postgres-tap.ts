import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a database that reads along. */
export interface PostgresTap {
  /** The database's URL by this way. */
  url: string;
  stop(): Promise<void>;
}

/** Called with each message of a client: the letter of its type, and its first two texts. */
export type OnMessage = (type: string, texts: readonly [string, string]) => void;

/** The length of a message's type and size, in bytes. */
const HEAD = 5;

/** Tells of the whole messages in `bytes`, and returns what is left. */
function readMessages(bytes: Buffer, tell: OnMessage): Buffer {
  let rest = bytes;
  while (rest.length >= HEAD && rest.length > rest.readInt32BE(1)) {
    const end = rest.readInt32BE(1) + 1;
    const [first = '', second = ''] = rest.toString('utf8', HEAD, end).split('\0');
    tell(String.fromCharCode(rest[0] ?? 0), [first, second]);
    rest = rest.subarray(end);
  }
  return rest;
}

/** Opens a way to the database of `url`, over TCP and without TLS. */
export async function tapPostgres(url: string, tell: OnMessage): Promise<PostgresTap> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer(async (near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
    // The first message has no type.
    let rest: Buffer = Buffer.alloc(0);
    near.once('data', () => {
      near.on('data', (chunk) => {
        rest = readMessages(Buffer.concat([rest, chunk]), tell);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: through.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
