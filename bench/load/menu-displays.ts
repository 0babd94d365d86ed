import { EventEmitter, once, setMaxListeners } from 'node:events';
import { brotliDecompressSync } from 'node:zlib';
import { type Running, running } from '../processes/running.ts';
import { addressOf, loopbackOf } from './addresses.ts';
import { createClient } from './client.ts';
import { followStream } from './event-stream.ts';

/** Displays that open at the same time. */
const BATCH = 50;
const OPENING_MS = 60_000;

/** A menu as a display has read it. */
export interface Shown {
  slug: string;
  /** In ms since 1970. */
  readAt: number;
  /** The whole answer; it is looked into when nothing is measured any more. */
  dishes(): { id: number; price: number }[];
}

/** A display in each of some restaurants, which reads the menu when its stream tells of a version. */
export interface MenuDisplays extends Running {
  /** Resolves when each one has read its menu once more; rejects when one has not within the bound. */
  next(boundMs: number): Promise<Shown[]>;
}

interface Menu {
  data: { sections: { items: { id: number; price: number }[] }[] };
}

/**
 * Opens the displays; resolves when each has read its menu. The gateway believes in their addresses:
 * see `TRUSTED`.
 */
export async function openMenuDisplays(
  port: number,
  slugs: readonly string[],
): Promise<MenuDisplays> {
  const client = createClient(port);
  const leave: (() => void)[] = [];
  const displays: EventEmitter[] = [];
  const read = async (slug: string, index: number): Promise<Shown> => {
    // As a browser asks; one address may not read a thousand restaurants.
    const headers = { 'Accept-Encoding': 'br', 'X-Forwarded-For': addressOf(index) };
    const { body } = await client.expect(200, slug, { path: '/menu', headers });
    const readAt = Date.now();
    const dishes = () => {
      const { data }: Menu = JSON.parse(brotliDecompressSync(body).toString());
      return data.sections.flatMap(({ items }) => items);
    };
    return { slug, readAt, dishes };
  };
  const next = (some: readonly EventEmitter[], boundMs: number): Promise<Shown[]> => {
    const signal = AbortSignal.timeout(boundMs);
    // Each of them listens to it.
    setMaxListeners(0, signal);
    return Promise.all(some.map(async (one) => (await once(one, 'menu', { signal }))[0]));
  };
  const open = (slug: string, index: number) => {
    const display = new EventEmitter();
    // An error must not end the process, also when nothing waits for a menu.
    display.on('error', () => undefined);
    const fail = (error: unknown) => display.emit('error', error);
    const end = followStream({
      ...{ port, host: `${slug}.localhost`, path: '/api/v1/stream', from: loopbackOf(index) },
      onOpen: () => undefined,
      onVersion: () => void read(slug, index).then((menu) => display.emit('menu', menu), fail),
      onRefused: (status) => fail(new Error(`the stream of ${slug}: ${status}`)),
    });
    leave.push(end);
    displays.push(display);
    return display;
  };
  const opened = running<MenuDisplays>({
    next: (boundMs: number) => next(displays, boundMs),
    stop: async () => {
      for (const end of leave) end();
      client[Symbol.dispose]();
    },
  });
  try {
    for (let index = 0; index < slugs.length; index += BATCH) {
      const batch = slugs.slice(index, index + BATCH).map((slug, at) => open(slug, index + at));
      await next(batch, OPENING_MS);
    }
    return opened;
  } catch (error) {
    await opened.stop();
    throw error;
  }
}
