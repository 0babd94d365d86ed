import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What connections ask of Postgres that only a session can give. */
export interface SessionUse {
  /** The database's URL by this way. */
  url: string;
  /** How many statements passed. */
  statements(): number;
  /** Statements that were prepared under a name, and those that change the session. */
  found(): readonly string[];
  stop(): Promise<void>;
}

const HEAD = 5;
/** A statement outside of this list may still be the first of a transaction. */
const OF_SESSIONS =
  /^\s*(listen|unlisten|set (?!transaction)|prepare|declare|discard)|pg_advisory_lock/i;

/** Statements of the protocol's messages in `bytes`, each with its name, and the bytes of the last part. */
function readMessages(bytes: Buffer, tell: (text: string, name: string) => void): Buffer {
  let rest = bytes;
  while (rest.length >= HEAD && rest.length > rest.readInt32BE(1)) {
    const end = rest.readInt32BE(1) + 1;
    const type = String.fromCharCode(rest[0] ?? 0);
    const [first = '', second = ''] = rest.toString('utf8', HEAD, end).split('\0');
    if (type === 'P') tell(second, first);
    if (type === 'Q') tell(first, '');
    rest = rest.subarray(end);
  }
  return rest;
}

/** Opens a way to the database of `url` that reads along. */
export async function watchSessionUse(url: string): Promise<SessionUse> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const found: string[] = [];
  let statements = 0;
  const tell = (text: string, name: string) => {
    statements += 1;
    if (name !== '' || OF_SESSIONS.test(text)) found.push(text);
  };
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
    statements: () => statements,
    found: () => found,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
