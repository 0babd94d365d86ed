import { createHmac, hash, randomBytes } from 'node:crypto';

/**
 * The panel's only cookie: a random value. Before sign-in it ties a form to the browser that it was
 * sent to; sign-in replaces it by a new one, whose hash names the session.
 */
export interface BrowserCookie {
  value: string;
  /** The browser does not have it yet. */
  isNew: boolean;
  /** For how long the browser keeps it, in ms; until it is closed without. */
  lasts?: number | undefined;
}

const LENGTH = 32;
/** The prefix keeps other hosts of the domain from setting the cookie, but needs TLS. */
const SECURE_NAME = '__Host-lavagna';
const PLAIN_NAME = 'lavagna';

/** Found in one look at the header, however many others it holds. */
function pairOf(name: string): RegExp {
  return new RegExp(`(?:^|;)[ \\t]*${name}=([\\w-]{43})[ \\t]*(?:;|$)`);
}
const SECURE_PAIR = pairOf(SECURE_NAME);
const PLAIN_PAIR = pairOf(PLAIN_NAME);

/** @param lasts for how long the browser keeps it, in ms; by default until it is closed */
export function newBrowserCookie(lasts?: number): BrowserCookie {
  return { value: randomBytes(LENGTH).toString('base64url'), isNew: true, lasts };
}

/**
 * The cookie of a request, or a new one.
 *
 * @param header the Cookie header
 * @param onlySecure the request came through TLS, so that only the protected cookie counts
 */
export function readBrowserCookie(header: string, onlySecure: boolean): BrowserCookie {
  const found = SECURE_PAIR.exec(header) ?? (onlySecure ? null : PLAIN_PAIR.exec(header));
  const value = found?.[1];
  return value === undefined ? newBrowserCookie() : { value, isNew: false };
}

/** The Set-Cookie header; its session may last less than the cookie. */
export function setBrowserCookie(cookie: BrowserCookie, secure: boolean): string {
  // The prefix wants the whole host as its path.
  const place = secure ? 'Path=/; Secure' : 'Path=/admin';
  const name = secure ? SECURE_NAME : PLAIN_NAME;
  const age = cookie.lasts === undefined ? '' : `; Max-Age=${Math.floor(cookie.lasts / 1_000)}`;
  return `${name}=${cookie.value}; ${place}${age}; HttpOnly; SameSite=Lax`;
}

/** The stored form of a cookie, which is random: a fast hash is safe. */
export function hashCookie(cookie: BrowserCookie): Buffer {
  return hash('sha256', cookie.value, 'buffer');
}

/** The token in every form of this browser; the hash of the cookie does not yield it. */
export function formToken(cookie: BrowserCookie): string {
  return createHmac('sha256', Buffer.from(cookie.value, 'base64url'))
    .update('form')
    .digest('base64url');
}
