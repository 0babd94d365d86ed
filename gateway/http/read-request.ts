import type { ClientAddress } from './client-address.ts';
import { BAD_REQUEST } from './errors.ts';
import type { PageRequest, Poll, Reply, Request } from './exchange.ts';
import { normalPath } from './path.ts';
import type { ComingBody } from './request-body.ts';
import { readHeaders } from './request-headers.ts';
import type { RequestOrigin } from './request-origin.ts';

/** Headers that reads of a path need beside a `Poll`: all, those of a `PageRequest`, or none. */
export type NeededHeaders = 'all' | 'page' | 'none';

/** The library's view of a request. */
export interface RequestHead {
  getMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
  getHeader(name: Uint8Array): string;
  forEach(take: (name: string, value: string) => void): void;
}

// The library takes names as bytes, too, which spares it a conversion for each request.
const HOST = Buffer.from('host');
const IF_NONE_MATCH = Buffer.from('if-none-match');
const ACCEPT_ENCODING = Buffer.from('accept-encoding');
const ACCEPT_LANGUAGE = Buffer.from('accept-language');
const COOKIE = Buffer.from('cookie');
const CONTENT_LENGTH = Buffer.from('content-length');
const TRANSFER_ENCODING = Buffer.from('transfer-encoding');

const NO_HEADERS: ReadonlyMap<string, string> = new Map();
const AMBIGUOUS: Reply = { answer: BAD_REQUEST, route: 'ambiguous', limitHead: null };

/** Whether requests of a method read: their bodies are never looked at. */
export function isRead(method: string): boolean {
  return method === 'get' || method === 'head';
}

/** Whether the request says that a body follows, in whichever way. */
export function saysBody(req: RequestHead): boolean {
  return req.getHeader(CONTENT_LENGTH) !== '' || req.getHeader(TRANSFER_ENCODING) !== '';
}

/** The request, or the answer to one that no handler takes. Written out, as `copyOf` says why. */
export function readRequest(
  req: RequestHead,
  neededHeaders: (path: string) => NeededHeaders,
  { client, isTls }: Pick<RequestOrigin, 'client' | 'isTls'>,
  { whole, claim, free }: Pick<ComingBody, 'whole' | 'claim' | 'free'>,
  id: string,
): Request | Reply {
  const method = req.getMethod();
  const path = normalPath(req.getUrl());
  const needed = isRead(method) ? neededHeaders(path) : 'all';
  const isShort = needed !== 'all' && !saysBody(req);
  const headers = isShort ? NO_HEADERS : readHeaders((take) => req.forEach(take));
  // No read of ours has a body, and its answer may be long: it must not be the last of a connection.
  if (!headers || (isRead(method) && headers.has('transfer-encoding'))) return AMBIGUOUS;
  const asks = needed !== 'none';
  return {
    id,
    client,
    secure: isTls,
    method,
    host: req.getHeader(HOST),
    path,
    // Undefined without a question mark.
    query: req.getQuery() ?? '',
    ifNoneMatch: req.getHeader(IF_NONE_MATCH),
    acceptEncoding: req.getHeader(ACCEPT_ENCODING),
    cookie: asks ? req.getHeader(COOKIE) : '',
    acceptLanguage: asks ? req.getHeader(ACCEPT_LANGUAGE) : '',
    headers,
    body: whole,
    claim,
    free,
  };
}

/** The headers that the answer to a path that displays poll depends on. */
export function readPoll(req: RequestHead, client: ClientAddress): Poll {
  return {
    client,
    host: req.getHeader(HOST),
    ifNoneMatch: req.getHeader(IF_NONE_MATCH),
    acceptEncoding: req.getHeader(ACCEPT_ENCODING),
  };
}

/** As `readPoll`, for a page for guests or a file of it. */
export function readPageRequest(
  req: RequestHead,
  secure: boolean,
  needed: NeededHeaders,
): PageRequest {
  const asks = needed !== 'none';
  return {
    host: req.getHeader(HOST),
    ifNoneMatch: req.getHeader(IF_NONE_MATCH),
    acceptEncoding: req.getHeader(ACCEPT_ENCODING),
    secure,
    query: req.getQuery() ?? '',
    cookie: asks ? req.getHeader(COOKIE) : '',
    acceptLanguage: asks ? req.getHeader(ACCEPT_LANGUAGE) : '',
  };
}
