import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CertificateFiles } from '../../db/runtime/certificate.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { stopOnce, withTimeout } from '../../db/runtime/running.ts';
import type { Answer, AnswerContent } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import type { Handler, PageRequest, Poll, Reply } from './exchange.ts';
import { JoinedBody } from './joined-body.ts';
import { startListening } from './listening.ts';
import { normalPath } from './path.ts';
import {
  isRead,
  type NeededHeaders,
  type RequestHead,
  readPageRequest,
  readPoll,
  readRequest,
  saysBody,
} from './read-request.ts';
import { type BodyConstants, type ComingBody, createBodies } from './request-body.ts';
import { requestId } from './request-headers.ts';
import { createOrigins, type RequestOrigin, type Way } from './request-origin.ts';
import { startStream } from './sink.ts';

/** GET of one path that displays poll. */
export interface HotRead {
  /** The whole path, without a parameter. */
  path: string;
  /** Whether a query changes the answer: then `handle` answers a request that has one. */
  hasQuery: boolean;
  /**
   * The answer that lies ready, with a `limitHead` that begins with an id of the answer; null where
   * `handle` must answer, which then counts the request, too. It does not look at the query.
   */
  ready: (poll: Poll) => Reply | null;
}

/** GET of a page for guests, or of a file of it. */
export interface HotPage {
  /** The whole path; a segment `:name` is its only parameter. */
  path: string;
  /** As that of a `HotRead`. */
  ready: (request: PageRequest, param: string) => Reply | null;
}

export interface ServerOptions {
  port: number;
  /** CIDR ranges of proxies that are believed about the client's address. */
  trustedProxies: readonly string[];
  /** Files of the certificate, with its chain, and of its key; undefined for plain HTTP. */
  tls: CertificateFiles | undefined;
  hotReads: readonly HotRead[];
  hotPages: readonly HotPage[];
  /** The headers that reads of a path need. */
  neededHeaders: (path: string) => NeededHeaders;
  /** Longest body of a request for a path, in bytes. */
  maxBodyBytes: (path: string) => number;
  handle: Handler;
  /** Called for each request that is answered before `handle` hears of it, with its method. */
  onRefused: (reply: Reply, method: string) => void;
  /** Ends answers that go on; resolves when none does. */
  drain: () => Promise<void>;
  constants: BodyConstants & Pick<Constants, 'stopTimeout'>;
}

const RATE_LIMIT = Buffer.from('X-RateLimit-Limit');
// The library takes names as bytes, too, which spares it a conversion for each request.
const SENT_ID = Buffer.from('x-request-id');
const REQUEST_ID = Buffer.from('X-Request-Id');
const CONNECTION = Buffer.from('Connection');
const CLOSE = Buffer.from('close');
const STRICT_TRANSPORT = Buffer.from('Strict-Transport-Security');
/** For a year. Only of the host itself: those below it may be others'. */
const STRICT_FOR_A_YEAR = Buffer.from('max-age=31536000');

const NO_BODY: ComingBody = {
  whole: Promise.resolve(Buffer.alloc(0)),
  rest: () => Promise.resolve(),
  drop: () => undefined,
  claim: () => undefined,
  free: () => undefined,
};

/**
 * Up to this length, in bytes, an answer is mostly ended in the library's own way, which spares it
 * an array to say what became of it: 1.2 µs, a twentieth of a hot read.
 */
const SHORT_BODY = 32 * 1024;
/** One of so many short answers is not, so that it is seen whether the client has taken the others. */
const CHECKED_ONE_IN = 8;

/** Good until the next answer is sent. */
function bytesForNow(content: AnswerContent): Uint8Array {
  return ArrayBuffer.isView(content) ? content : content.joinForNow();
}

/**
 * Ends an answer with its body. When the client does not take it at once, the rest is sent as the
 * client reads, from the bytes that all answers share. The library itself would keep a copy of each
 * answer that is not read. It closes a connection that takes nothing for ten
 * seconds, and one that sends its next request before it has taken this answer.
 *
 * Of short answers one in a few is sent so, by chance: a client that never reads costs us about
 * eight copies before one of these finds it, a tenth of what the system's own buffers hold by then.
 */
function endWithBody(res: HttpResponse, content: AnswerContent): void {
  const bytes = bytesForNow(content);
  if (bytes.length <= SHORT_BODY && Math.random() * CHECKED_ONE_IN > 1) {
    res.end(bytes);
    return;
  }
  const isDone = res.tryEnd(bytes, bytes.length)[1];
  if (isDone) return;
  const body = content instanceof JoinedBody ? content.join() : content;
  // The library insists on knowing what to do when the client goes: nothing.
  res.onAborted(() => undefined);
  res.onWritable((offset) => res.tryEnd(body.subarray(offset), body.length)[0]);
}

/** Ends the answer to a HEAD, or the connection, when its client does not read what it asks for. */
function endHead(res: HttpResponse, length: number): void {
  const [isTaken, isDone] = res.tryEnd('', length);
  // Nothing is missing from an answer whose body would be empty.
  if (isDone) return;
  if (isTaken) res.endWithoutBody();
  else res.close();
}

/**
 * Ends an answer and its connection. Without a body the library does so only after a length; after
 * the length of one that does not follow, it waits for the client to go, and wants `onAborted`.
 */
function endLast(res: HttpResponse, method: string, { body, length }: Answer): void {
  if (body !== null && method !== 'head') res.end(bytesForNow(body), true);
  else res.endWithoutBody(length, true);
}

/** When a connection ends: when its client wants, when the client obeys `Connection: close`, or now. */
type Ending = 'open' | 'asked' | 'now';

/** Parts of every answer's head. */
interface Heading extends Pick<RequestOrigin, 'isTls'> {
  /** Of the request. */
  id: string;
}

/** @param ending what is left of it: the connection goes on, or the client is asked to end it */
function writeBody(
  res: HttpResponse,
  method: string,
  { body }: Answer,
  ending: Exclude<Ending, 'now'>,
): void {
  if (ending === 'asked') res.writeHeader(CONNECTION, CLOSE);
  // Any argument here makes the library announce a length of its own and wait for a body.
  if (body === null) res.endWithoutBody();
  else if (method === 'head') endHead(res, body.length);
  else endWithBody(res, body);
}

/** Writes the answer of a hot read: each call into the library counts. */
function writeReady(
  res: HttpResponse,
  { answer, limitHead }: Reply,
  ending: Exclude<Ending, 'now'>,
  isTls: boolean,
): void {
  res.writeStatus(answer.head);
  if (limitHead) res.writeHeader(REQUEST_ID, limitHead);
  if (isTls) res.writeHeader(STRICT_TRANSPORT, STRICT_FOR_A_YEAR);
  writeBody(res, 'get', answer, ending);
}

function writeReply(
  res: HttpResponse,
  method: string,
  reply: Reply,
  ending: Ending,
  { id, isTls }: Heading,
): void {
  const { answer, limitHead } = reply;
  res.writeStatus(answer.head);
  res.writeHeader(REQUEST_ID, id);
  if (isTls) res.writeHeader(STRICT_TRANSPORT, STRICT_FOR_A_YEAR);
  if (limitHead) res.writeHeader(RATE_LIMIT, limitHead);
  if (answer.stream || ending === 'now') {
    if (answer.stream) startStream(res, answer.stream, ending !== 'now');
    else endLast(res, method, answer);
    return;
  }
  writeBody(res, method, answer, ending);
}

/** The same reply, good for longer than this moment. */
function keepReply({ answer, route, limitHead }: Reply): Reply {
  return { answer, route, limitHead: limitHead && Buffer.from(limitHead) };
}

/**
 * Holds back the last answer of a connection until the request's body is over: the library ends the
 * connection when another request comes while this one has no answer yet, and closing it with unread
 * bytes would take the answer away from the client.
 */
async function lastReply(reply: Reply | Promise<Reply>, body: ComingBody): Promise<Reply> {
  const last = 'then' in reply ? await reply : keepReply(reply);
  await body.rest();
  await nextTurn();
  return last;
}

/** @param endingOf when the connection ends, asked when the reply is there */
async function sendLater(
  res: HttpResponse,
  method: string,
  pending: Promise<Reply>,
  endingOf: () => Ending,
  heading: Heading,
): Promise<void> {
  // A client that goes before it has sent all of its body leaves a handler that waits for ever.
  const gone = new Promise<null>((resolve) => {
    res.onAborted(() => resolve(null));
  });
  const reply = await Promise.race([pending, gone]);
  if (reply) res.cork(() => writeReply(res, method, reply, endingOf(), heading));
}

/** @param waiting holds what is on its way, so that a stop can wait for it */
function createSend(waiting: Set<Promise<void>>, endingOf: () => Ending) {
  return (
    res: HttpResponse,
    method: string,
    reply: Reply | Promise<Reply>,
    body: ComingBody,
    heading: Heading & Pick<RequestOrigin, 'isLast'>,
  ) => {
    const { isLast } = heading;
    if (!isLast && !('then' in reply)) {
      writeReply(res, method, reply, endingOf(), heading);
      body.drop();
      return;
    }
    const pending = isLast ? lastReply(reply, body) : Promise.resolve(reply);
    const endingNow = () => (isLast ? 'now' : endingOf());
    const sent = sendLater(res, method, pending, endingNow, heading).finally(() => {
      waiting.delete(sent);
      body.drop();
    });
    waiting.add(sent);
  };
}

/** Whether a request has nothing that the shortest way to an answer does not look at. */
function isPlain(req: RequestHead, { isLast }: Way): boolean {
  return !isLast && !saysBody(req) && req.getHeader(SENT_ID) === '';
}

/**
 * Listens on `port`, shared with other gateways of this machine, and answers every request with
 * what `handle` returns: at once where it can, later where it must wait. `stop` closes the listening
 * socket, lets requests in flight finish within a bound and then closes every connection.
 *
 * @throws OperatorError when the port, the certificate or the HTTP library cannot be used
 */
export async function startServer(options: ServerOptions) {
  const { handle, tls } = options;
  const { originOf, wayOf } = createOrigins(options.trustedProxies, tls !== undefined);
  const receiveBody = createBodies(options.constants);
  const waiting = new Set<Promise<void>>();
  let ending: Exclude<Ending, 'now'> = 'open';

  const send = createSend(waiting, () => ending);

  const bodyOf = (res: HttpResponse, req: HttpRequest, client: ClientAddress) =>
    receiveBody(client, options.maxBodyBytes(normalPath(req.getUrl())), (take) => res.onData(take));

  const serve = (res: HttpResponse, req: HttpRequest, origin: RequestOrigin) => {
    const method = req.getMethod();
    const { client, isTls } = origin;
    const id = requestId(req.getHeader(SENT_ID));
    const body = isRead(method) ? NO_BODY : bodyOf(res, req, client);
    const request = readRequest(req, options.neededHeaders, origin, body, id);
    const isRefused = 'answer' in request;
    if (isRefused) options.onRefused(request, method);
    const reply = isRefused ? request : handle(request);
    // The next bytes may be part of the request: of an ambiguous one, and after chunks, for the library
    // takes their trailer section for the next request.
    const isLast = isRefused || origin.isLast || request.headers.has('transfer-encoding');
    send(res, method, reply, body, { id, isLast, isTls });
  };

  const finish = (
    res: HttpResponse,
    req: HttpRequest,
    origin: RequestOrigin,
    reply: Reply | null,
  ) => {
    if (reply) writeReady(res, reply, ending, origin.isTls);
    else serve(res, req, origin);
  };
  const addRoutes = (app: TemplatedApp) => {
    // Two functions: V8 makes each of them fast for its own answers.
    for (const { path, hasQuery, ready } of options.hotReads) {
      app.get(path, (res, req) => {
        const origin = originOf(res, req);
        const isReady = isPlain(req, origin) && !(hasQuery && req.getQuery());
        finish(res, req, origin, isReady ? ready(readPoll(req, origin.client)) : null);
      });
    }
    for (const { path, ready } of options.hotPages) {
      const needed = options.neededHeaders(path);
      const hasParam = path.includes(':');
      app.get(path, (res, req) => {
        const way = wayOf(res, req);
        const param = hasParam ? (req.getParameter(0) ?? '') : '';
        const asked = isPlain(req, way) ? readPageRequest(req, way.isTls, needed) : null;
        const reply = asked && ready(asked, param);
        if (reply) writeReady(res, reply, ending, way.isTls);
        else serve(res, req, originOf(res, req));
      });
    }
    app.any('/*', (res, req) => serve(res, req, originOf(res, req)));
  };

  const listening = await startListening(options.port, tls, addRoutes);
  /**
   * Closes the listening socket, and each connection with its next answer; harmless when repeated.
   * Another process that listens on the port has all new connections from now on.
   */
  const retire = () => {
    if (ending === 'asked') return;
    ending = 'asked';
    listening.retire();
    waiting.add(options.drain());
  };
  const running = stopOnce(async () => {
    retire();
    await withTimeout(options.constants.stopTimeout, Promise.all(waiting), () => undefined);
    listening.close();
  });
  return { ...running, retire, renew: listening.renew };
}
