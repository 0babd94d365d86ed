import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Running, running } from './running.ts';

/** A TCP proxy in front of Postgres that reports each message of its clients. */
export interface PostgresTap extends Running {
  /** The URL of the database through the proxy. */
  url: string;
}

/** Called with each message of a client: the letter of its type, and its first two strings. */
export type OnMessage = (type: string, strings: readonly [string, string]) => void;

/** A message begins with its type (one byte) and its size (four bytes). */
const HEADER_BYTES = 5;

/** Reports the complete messages in `bytes`, and returns the beginning of an incomplete one. */
function readMessages(bytes: Buffer, onMessage: OnMessage): Buffer {
  let rest = bytes;
  while (rest.length >= HEADER_BYTES && rest.length > rest.readInt32BE(1)) {
    const end = rest.readInt32BE(1) + 1;
    const [first = '', second = ''] = rest.toString('utf8', HEADER_BYTES, end).split('\0');
    onMessage(String.fromCharCode(rest[0] ?? 0), [first, second]);
    rest = rest.subarray(end);
  }
  return rest;
}

/** Starts a proxy to the database of `url`, over TCP and without TLS. */
export async function tapPostgres(url: string, onMessage: OnMessage): Promise<PostgresTap> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer(async (client) => {
    const postgres = connect(Number(target.port), target.hostname);
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(postgres).pipe(client);
    // The first message of a connection has no type: it is skipped.
    let rest: Buffer = Buffer.alloc(0);
    client.once('data', () => {
      client.on('data', (chunk) => {
        rest = readMessages(Buffer.concat([rest, chunk]), onMessage);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return running({
    url: proxied.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
