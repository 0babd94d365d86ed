import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { forFile } from './for-file.ts';

/** A way to Postgres that can be blocked: what a network does to a gateway. */
interface DatabaseLink {
  /** The database's URL by this way. */
  url: string;
  /** Lets nothing through any more, in either direction, without closing anything. */
  freeze(): void;
  /** Lets everything through that was held up. */
  thaw(): void;
  /** Holds everything up for so long, in ms, in each direction. */
  delay(pause: number): void;
  /**
   * Lets nothing through any more on the connections that there are, for ever and without closing
   * them, as a firewall does that has forgotten them. New ones work.
   */
  lose(): void;
  /** Breaks every connection and accepts none until `thaw`. */
  cut(): void;
  stop(): Promise<void>;
}

async function createDatabaseLink(url: string): Promise<DatabaseLink> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let pause = 0;
  const lost = new WeakSet<Socket>();
  let state: 'open' | 'frozen' | 'cut' = 'open';

  const adopt = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The other side of a broken connection is closed below; that is all there is to an error.
    socket.on('error', () => socket.destroy());
    if (state === 'frozen') socket.pause();
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => {
        if (pause === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), pause);
      });
      from.on('close', () => to.destroy());
    }
    adopt(near);
    adopt(far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    freeze: () => {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      state = 'open';
      for (const socket of sockets) if (!lost.has(socket)) socket.resume();
    },
    lose: () => {
      state = 'open';
      for (const socket of sockets) {
        lost.add(socket);
        socket.pause();
      }
    },
    delay: (value) => {
      pause = value;
    },
    cut: () => {
      state = 'cut';
      breakAll();
    },
    stop: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A way to the database of a URL, closed when the tests of the file have ended. */
export const databaseLink = forFile(createDatabaseLink);
