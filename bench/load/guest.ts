import { Agent } from 'node:http';
import { followStream } from './event-stream.ts';
import { exchange } from './http-call.ts';

/** The page's own times, in ms: see `gateway/display/page/follow.js` and `events.js`. */
const SPREAD_MS = 300;
const LIVE_EVERY_MS = 300_000;
const EVENTS_AFTER_MS = 4_000;
const PAGE = '/?lang=it';
const BROWSER = { 'Accept-Language': 'it', 'Accept-Encoding': 'br' };

interface GuestOptions {
  port: number;
  host: string;
  /** The guest's page shows the document with this tag, as the server compressed it. */
  onPage(etag: string, body: Buffer): void;
  /** An answer that a guest would notice: neither 200 nor 304. */
  onRefusal(what: string): void;
  /** Events of statistics that were refused; the page sends them again later. */
  onRefusedEvents(): void;
}

/** The files that a page names. */
function filesOf(page: string): string[] {
  const named = Array.from(page.matchAll(/"(\/display\/[^"]+\.(?:css|js))"/g), ([, file]) => file);
  return [...new Set(named as string[]), '/display/worker.js'];
}

/**
 * A guest's phone, on which the page is open: it loads the page and its files, follows the stream, and
 * fetches the page anew after each change. Resolves when the page is whole.
 *
 * @param read what a compressed page says
 */
export async function openGuest(
  options: GuestOptions,
  read: (etag: string, body: Buffer) => string,
): Promise<void> {
  const { port, host, onPage, onRefusal, onRefusedEvents } = options;
  // A browser opens six connections, and closes idle ones before the gateway does.
  const agent = new Agent({ keepAlive: true, maxSockets: 6, timeout: 4_000 });
  const call = (path: string, headers = {}, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = { base: '', path, method, headers: { ...BROWSER, ...headers }, body };
    return exchange({ agent, port, host }, asked);
  };
  let etag = '';
  const fetchPage = async (path: string) => {
    const page = await call(path, etag ? { 'If-None-Match': etag } : {});
    if (page.status === 200) {
      etag = page.headers.etag ?? '';
      onPage(etag, page.body);
    } else if (page.status !== 304) onRefusal(`${path}: ${page.status}`);
    return page;
  };
  const refresh = () => {
    fetchPage(PAGE).catch((error) => onRefusal(`${PAGE}: ${error}`));
  };

  const first = await fetchPage('/');
  const files = await Promise.all(filesOf(read(etag, first.body)).map((path) => call(path)));
  for (const { status } of files) if (status !== 200) onRefusal(`a file: ${status}`);
  let isFirst = true;
  followStream({
    ...{ port, host, path: '/display/stream', from: '127.0.0.1' },
    onOpen: () => undefined,
    onVersion: () => {
      if (!isFirst) setTimeout(refresh, Math.random() * SPREAD_MS);
      isFirst = false;
    },
    onRefused: (status) => onRefusal(`the stream: ${status}`),
  });
  setInterval(refresh, LIVE_EVERY_MS * (1 + Math.random() * 0.3));
  setTimeout(() => {
    const body = { events: [{ type: 'menu_view', locale: 'it' }] };
    call('/api/v1/analytics/events', {}, body).then(
      ({ status }) => status !== 202 && onRefusedEvents(),
      onRefusedEvents,
    );
  }, EVENTS_AFTER_MS);
}
