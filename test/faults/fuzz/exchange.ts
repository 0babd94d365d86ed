import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

/** One request, with everything that is needed to send it again. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface FuzzAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** In ms. */
  took: number;
}

/** An answer that takes longer counts as missing: a busy machine needs a small part of it. */
const ANSWER_BOUND_MS = 120_000;
/** Longer than the longest answer may be, in bytes. */
const SIZE_BOUND = 8_000_000;

/** Of an answer that goes on for minutes its head alone. */
async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  if (incoming.headers['content-type'] === 'text/event-stream') {
    incoming.destroy();
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > SIZE_BOUND) throw new Error(`an answer of more than ${SIZE_BOUND} bytes`);
  }
  return Buffer.concat(chunks);
}

/** A way to send requests to a port of this machine over connections that are kept. */
export function createExchange(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const once = (request: FuzzRequest): Promise<FuzzAnswer> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const { method, path, body } = request;
      const length = { 'Content-Length': String(body.length) };
      const headers = { ...(body.length > 0 && length), ...request.headers };
      const outgoing = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers });
      const late = setTimeout(
        () => outgoing.destroy(new Error(`no answer within ${ANSWER_BOUND_MS} ms`)),
        ANSWER_BOUND_MS,
      );
      const fail = (error: NodeJS.ErrnoException) => {
        clearTimeout(late);
        // An idle connection may be closed at the very moment at which it is used again.
        const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET';
        if (isStale) once(request).then(resolve, reject);
        else reject(error);
      };
      outgoing.on('error', fail);
      outgoing.on('response', (incoming) => {
        readBody(incoming).then((bytes) => {
          clearTimeout(late);
          const took = performance.now() - began;
          const { statusCode = 0, headers: received } = incoming;
          resolve({ status: statusCode, headers: received, body: bytes, took });
        }, fail);
      });
      outgoing.end(body);
    });
  return { send: once, stop: () => agent.destroy() };
}

/** Sends bytes that need not be HTTP, ends, and resolves with what came back until the end. */
export function sendBytes(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither an answer nor an end within ${ANSWER_BOUND_MS} ms`));
    }, ANSWER_BOUND_MS);
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      if (received.length > SIZE_BOUND) socket.destroy();
    });
    // A reset is an end, too; a gateway that is gone refuses connections.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(late);
      resolve(received);
    });
  });
}
