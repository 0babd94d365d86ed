import { DAY } from '../../db/runtime/day.ts';
import type { Request } from '../http/exchange.ts';
import { createCookieKind, type RandomCookie } from '../http/random-cookie.ts';
import { isForwardedTls } from '../http/request-origin.ts';

/** Browsers keep no cookie longer; a screen gets it anew whenever it loads its page, once a day. */
const LASTS = 400 * DAY;

const cookies = createCookieKind('lavagna-screen', '/');

type Asked = Pick<Request, 'headers' | 'secure'>;

const isTls = ({ headers, secure }: Asked) => secure || isForwardedTls(headers);

/** The cookie by which a screen is known, or a new one. */
export function readScreenCookie(request: Asked): RandomCookie {
  return cookies.read(request.headers.get('cookie') ?? '', isTls(request));
}

/** The Set-Cookie header that keeps it. */
export function setScreenCookie(cookie: RandomCookie, request: Asked): string {
  return cookies.set({ ...cookie, lasts: LASTS }, isTls(request));
}
