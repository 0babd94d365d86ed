import type { Locale } from '../../db/schema/locale.ts';
import type { BodyName } from '../../db/snapshot/snapshot.ts';
import type { Answer } from '../http/answer.ts';
import type { Representations } from '../http/representations.ts';
import type { Request } from '../http/server.ts';
import type { LoadedSnapshot, Tenant } from '../snapshots/loaded-snapshot.ts';

/** What the path of every endpoint of the API begins with. */
export const API_PREFIX = '/api/v1';
export const ADMIN_PREFIX = `${API_PREFIX}/admin`;
/** What the path of every page of the panel begins with. */
const PANEL_PREFIX = '/admin';

/** Whether reads of a path may need a token, a cookie or a language; no other read has headers. */
export function readsHeaders(path: string): boolean {
  return path.startsWith(ADMIN_PREFIX) || path.startsWith(PANEL_PREFIX);
}

/** What a public read answers from: plain values, no socket. */
export interface ReadContext {
  snapshot: LoadedSnapshot;
  /** The value of the path's parameter, else the empty string. */
  param: string;
  /** The query string without its question mark. */
  query: string;
}

/** What an endpoint that does more than read is called with. */
export interface CallContext extends Request {
  tenant: Tenant;
  param: string;
}

/** An endpoint that waits for something: the database, a queue, the request's body. */
export interface CallRoute {
  kind: 'call';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As that of a `ReadRoute`. */
  path: string;
  /** Rejects with the errors of `gateway/pipeline/errors.ts`. */
  call(context: CallContext): Promise<Answer>;
}

export type Route = ReadRoute | FinishedRoute | CallRoute;

/** A public endpoint: declared once, found by its path, answered from a snapshot. */
export interface ReadRoute {
  kind: 'read';
  method: 'GET';
  /** Path below `/api/v1`; a segment `:name` is a parameter, a last one `:name?` an optional one. */
  path: string;
  /** The locale whose snapshot the answer needs; null is the restaurant's default. */
  locale(param: string, query: string): Locale | null;
  /** @throws NotFoundError, InvalidError */
  read(context: ReadContext): Representations;
}

/**
 * A read whose answer every snapshot holds finished, whatever the query: displays poll these, and
 * `hot-reads.ts` gives them a way of their own.
 */
export interface FinishedRoute extends ReadRoute {
  body: BodyName;
}

/** What a page is called with. */
export interface PageContext extends Request {
  /** The menu in the restaurant's default language. */
  snapshot: LoadedSnapshot;
  param: string;
}

/** A page for people: outside of the API, without its limits and its envelope. */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** The whole path; a segment `:name` is a parameter. */
  path: string;
  /** Answers its own mistakes with pages; a rejection becomes the API's answer to that error. */
  call(context: PageContext): Answer | Promise<Answer>;
}
