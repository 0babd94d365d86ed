import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection that says what it is told, byte by byte, and keeps what it hears. */
export interface RawSocket {
  socket: Socket;
  /** Everything received so far, as Latin-1: one character a byte. */
  received(): string;
  /** Resolves when what was received satisfies `isEnough`; rejects when the connection ends before. */
  until(isEnough: (received: string) => boolean): Promise<string>;
  /** Resolves with everything received when the other side has closed. */
  closed: Promise<string>;
}

/**
 * Connects to a port of this machine; `reads` is false for a client that never reads. Every address
 * that begins with 127 is this machine's.
 */
export async function openSocket(
  port: number,
  reads = true,
  localAddress = '127.0.0.1',
): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  await once(socket, 'connect');
  let received = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  // A connection that is reset is a closed one: what was received says the rest.
  socket.on('error', () => socket.destroy());
  if (reads) {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
  }
  return {
    socket,
    received: () => received,
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!isEnough(received)) return;
          socket.off('data', look);
          resolve(received);
        };
        socket.on('data', look);
        void ended.then(() => reject(new Error(`closed after: ${received.slice(-300)}`)));
        look();
      }),
    closed: ended.then(() => received),
  };
}

/** As many of them, at once. */
export function openSockets(port: number, count: number, reads = true): Promise<RawSocket[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(port, reads)));
}

/** Resolves when the server has read everything that was sent to it on other connections before. */
export async function untilRead(port: number): Promise<void> {
  const raw = await openSocket(port);
  // The first answer can come before the server reads another connection, in the same turn of its
  // event loop. The second cannot.
  for (const count of [1, 2]) {
    raw.socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await raw.until((text) => readAnswers(text).length >= count);
  }
  raw.socket.destroy();
}

/** An HTTP answer, as it came over the wire. */
interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/**
 * The whole answers at the beginning of what was received: all of ours say how long they are.
 *
 * @param headless indexes of answers that have no body, whatever their length says
 */
export function readAnswers(received: string, headless: readonly number[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; ; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const length = headless.includes(answers.length)
      ? 0
      : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    answers.push({ status, head, body: Buffer.from(body, 'latin1').toString() });
    rest = rest.slice(end + 4 + length);
  }
}
