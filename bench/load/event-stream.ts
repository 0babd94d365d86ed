import { connect } from 'node:net';

/** The stream of one display. */
interface StreamOptions {
  port: number;
  /** Of the tenant, as the Host header names it. */
  host: string;
  path: string;
  /** By which a screen is known. */
  cookie?: string | undefined;
  /** Where it connects from: any address of 127.0.0.0/8. */
  from: string;
  /** The gateway answered 200. */
  onOpen(): void;
  onVersion(version: number): void;
  /** The gateway answered with another status; like a browser, the stream does not try again. */
  onRefused(statusLine: string): void;
}

/** Until the gateway says how long to wait before the stream is opened again, in ms. */
const FIRST_RETRY_MS = 3_000;
const STATUS = 'HTTP/1.1 ';
/** Ends an answer whose connection may stay open; a browser counts the stream as ended then. */
const LAST_CHUNK = '0\r\n\r\n';
const BUFFER_BYTES = 64 * 1024;

/** All sockets read into it: each piece is handled before the next one is read. */
const shared = Buffer.alloc(BUFFER_BYTES);

/** The rest of the line that begins with `name`; undefined when there is no such line. */
function fieldIn(text: string, name: string): string | undefined {
  const start = text.lastIndexOf(name);
  if (start < 0) return undefined;
  return text.slice(start + name.length, text.indexOf('\n', start)).trimEnd();
}

/**
 * Follows a menu as a browser's EventSource does, over a plain socket that costs little. The gateway
 * sends each event in one piece, so none is put together here. Returns what ends it for good.
 */
export function followStream(options: StreamOptions): () => void {
  const { port, host, path, cookie, from, onOpen, onVersion, onRefused } = options;
  let retry = FIRST_RETRY_MS;
  let lastEventId = '';
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let leave: (() => void) | undefined;

  const read = (text: string) => {
    if (text.startsWith(STATUS)) {
      if (!text.startsWith('200 ', STATUS.length)) {
        isOver = true;
        onRefused(text.slice(0, text.indexOf('\r\n')));
        return;
      }
      onOpen();
    }
    retry = Number(fieldIn(text, 'retry: ') ?? retry);
    const id = fieldIn(text, 'id: ');
    if (id === undefined) return;
    lastEventId = id;
    onVersion(Number(id.slice(id.lastIndexOf('-') + 1)));
  };
  const open = () => {
    const socket = connect({
      ...{ port, host: '127.0.0.1', localAddress: from, noDelay: true },
      onread: {
        buffer: shared,
        callback: (bytes) => {
          const text = shared.toString('latin1', 0, bytes);
          read(text);
          if (text.endsWith(LAST_CHUNK)) socket.destroy();
          return true;
        },
      },
    });
    const known = lastEventId && `Last-Event-ID: ${lastEventId}\r\n`;
    const screen = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n${known}${screen}\r\n`,
    );
    // A gateway that restarts refuses connections for a moment.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      if (!isOver) timer = setTimeout(open, retry);
    });
    leave = () => socket.destroy();
  };

  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    leave?.();
  };
}
