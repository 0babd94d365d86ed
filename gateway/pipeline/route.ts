import { constants } from '../../db/runtime/constants.ts';
import type { Scope } from '../../db/schema/token.ts';
import type { RequestedLocale } from '../../db/schema/values/locale.ts';
import type { BodyName } from '../../db/snapshot/parts.ts';
import type { StoredToken } from '../../db/sql/tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { PageRequest, Request } from '../http/exchange.ts';
import { API_PREFIX } from '../http/path.ts';
import type { NeededHeaders } from '../http/read-request.ts';
import type { Representations } from '../http/representations.ts';
import type { Limiter } from '../limits/limits.ts';
import type { DescribedRoute } from '../openapi/description.ts';
import type { LoadedSnapshot, Restaurant, Tenant } from '../snapshots/loaded-snapshot.ts';

export const ADMIN_PREFIX = `${API_PREFIX}/admin`;
/** The path of every page of the panel begins with it. */
const PANEL_PREFIX = '/admin';

/** Streams need the last event that their client knows. */
const STREAM_PATHS = ['/display/stream', `${API_PREFIX}/stream`];
/** Files of the menu's page, and photos. */
const FILES_PREFIXES = ['/display/', '/media/'];

/**
 * The headers that reads of a path may need: a token, a cookie, a language or the like. The menu's page
 * needs two; public reads of the API and files need none.
 */
export function neededHeaders(path: string): NeededHeaders {
  if (path === '/') return 'page';
  if (STREAM_PATHS.includes(path) || path.startsWith(ADMIN_PREFIX)) return 'all';
  const isFile = FILES_PREFIXES.some((prefix) => path.startsWith(prefix));
  return isFile || path.startsWith(API_PREFIX) ? 'none' : 'all';
}

/** A photo and what a form adds to it. */
const PHOTO_PATH = `${ADMIN_PREFIX}/photos`;
/** Paths whose bodies may be as long as a whole menu. */
const DOCUMENT_PATHS = [`${ADMIN_PREFIX}/bulk`, `${ADMIN_PREFIX}/import`];

/** Whether a page of the panel has a form with photos: their own page, and the forms of records. */
function takesPhotos(path: string): boolean {
  const pages = [`${PANEL_PREFIX}/photos`, `${PANEL_PREFIX}/restaurant`];
  return pages.includes(path) || path.startsWith(`${PANEL_PREFIX}/menu/`);
}

/** Longest body of a request for a path, in bytes. */
export function maxBodyBytes(path: string): number {
  if (path === `${PANEL_PREFIX}/import`) return constants.maxImportFormBytes;
  if (path === PHOTO_PATH) return constants.maxPhotoBytes + constants.maxFormBytes;
  if (takesPhotos(path)) return constants.maxPhotoFormBytes;
  return DOCUMENT_PATHS.includes(path) ? constants.maxDocumentBytes : constants.maxBodyBytes;
}

/**
 * An endpoint of the API, declared once: dispatch, limits, the check of tokens and the OpenAPI document
 * all go by the declaration. `S` is what its handler may use besides the request.
 */
export type Endpoint<S> = FinishedRoute | ReadRoute<S> | CallRoute<S> | GuardedRoute<S>;
export type Route<S> = Endpoint<S> | TokenRoute<S> | PageRoute | RestaurantRoute | HotRoute;

interface Declared extends Omit<DescribedRoute, 'scope'> {
  limiter: Limiter;
}

/** A read that every snapshot holds finished. Displays poll these. */
export interface FinishedRoute extends Declared {
  kind: 'finished';
  method: 'GET';
  /** Which of the snapshot's bodies is the answer. */
  body: BodyName;
  /** The locale whose snapshot the answer needs; null, or without it, the restaurant's default. */
  locale?(param: string, query: string): RequestedLocale | null;
}

/** The arguments of a public read: plain values, no socket. */
interface ReadContext {
  snapshot: LoadedSnapshot;
  /** The value of the path's parameter, else the empty string. */
  param: string;
  /** The query string without its question mark. */
  query: string;
}

/** A read that is answered from a snapshot at once. */
export interface ReadRoute<S> extends Declared {
  kind: 'read';
  method: 'GET';
  /** As that of a `FinishedRoute`. */
  locale?(param: string, query: string): RequestedLocale | null;
  /** @throws NotFoundError, InvalidError, TooLongError */
  read(context: ReadContext, services: S): Representations;
}

/** The arguments of an endpoint that does more than read. */
export interface CallContext extends Request {
  tenant: Tenant;
  param: string;
}

/** An endpoint that waits for something: the database, a queue, the request's body. */
export interface CallRoute<S> extends Declared {
  kind: 'call';
  /** Rejects with the errors of `gateway/http/errors.ts`. */
  call(context: CallContext, services: S): Promise<Answer>;
}

export interface GuardedContext extends CallContext {
  token: StoredToken;
  /** Of a write that an assistant sends. */
  assisted?: { confirmedBy: string | null };
}

/** An endpoint that is called when the request's token has been accepted. */
export interface GuardedRoute<S> extends Declared {
  kind: 'guarded';
  scope: Scope;
  /** A scope that opens it, too, for a part of its work. */
  orScope?: Scope;
  /** As that of a `CallRoute`. */
  call(context: GuardedContext, services: S): Promise<Answer>;
}

/** Called for any token of the restaurant; its path is the whole one, and not part of the document. */
export interface TokenRoute<S>
  extends Pick<GuardedRoute<S>, 'method' | 'path' | 'limiter' | 'call'> {
  kind: 'token';
}

/** The arguments of a page. */
export interface PageContext extends Request {
  /** The menu in the restaurant's default language. */
  snapshot: LoadedSnapshot;
  param: string;
}

/** A page for people: outside of the API, without its limits and its envelope. */
export interface PageRoute {
  kind: 'page';
  method: 'GET' | 'POST';
  /** The whole path; a segment `:name` is a parameter. */
  path: string;
  /** Answers its own mistakes with pages; a rejection becomes the API's answer to that error. */
  call(context: PageContext): Answer | Promise<Answer>;
}

/** A page for guests, or a file of it: answered before all other steps where it lies ready. */
export interface HotPageRoute extends Omit<PageRoute, 'call'> {
  method: 'GET';
  isHot: true;
  /** As that of a `PageRoute`; it reads no more of a request than a `PageRequest` has. */
  call(request: PageRequest, param: string, snapshot: LoadedSnapshot): Answer | Promise<Answer>;
}

/** The arguments of a page that shows no menu. */
export interface RestaurantContext extends Request {
  restaurant: Restaurant;
  param: string;
}

/** A page that shows no menu, such as those of the panel: none is loaded for it. */
export interface RestaurantRoute extends Omit<PageRoute, 'kind' | 'call'> {
  kind: 'restaurant';
  call(context: RestaurantContext): Answer | Promise<Answer>;
}

/** As a `HotPageRoute`, for what shows no menu: it needs nothing but the tenant's id. */
export interface HotRestaurantRoute extends Omit<RestaurantRoute, 'call'> {
  method: 'GET';
  isHot: true;
  call(request: PageRequest, param: string, tenantId: number): Answer | Promise<Answer>;
}

export type HotRoute = HotPageRoute | HotRestaurantRoute;
