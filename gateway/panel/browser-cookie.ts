import { createHmac } from 'node:crypto';
import { createCookieKind, type RandomCookie } from '../http/random-cookie.ts';

export { hashCookie } from '../http/random-cookie.ts';

/**
 * The panel's only cookie: a random value. Before sign-in it ties a form to the browser that it was
 * sent to; sign-in replaces it by a new one, whose hash names the session. Its session may last less
 * than the cookie.
 */
export type BrowserCookie = RandomCookie;

const cookies = createCookieKind('lavagna', '/admin');
export const { fresh: newBrowserCookie, read: readBrowserCookie, set: setBrowserCookie } = cookies;

/** The token in every form of this browser; the hash of the cookie does not yield it. */
export function formToken(cookie: BrowserCookie): string {
  return createHmac('sha256', Buffer.from(cookie.value, 'base64url'))
    .update('form')
    .digest('base64url');
}
