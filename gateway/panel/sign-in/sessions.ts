import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  createSession,
  deleteSession,
  type Session,
  useSession,
} from '../../../db/sql/sessions.ts';
import type { User } from '../../../db/sql/users.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import { newBrowserCookie, type PanelRequest } from '../panel-request.ts';

/** Longest name of a device, in characters. */
const MAX_DEVICE_LENGTH = 120;

/** Browsers in the order in which they are recognised: most of them name others, too. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|Chromium|CriOS)\//],
  ['Safari', /Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPad', /iPad/],
  ['iPhone', /iPhone/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
];

/** The browser and the device of a `User-Agent`, such as `Safari · iPad`; empty for an unknown one. */
function deviceName(userAgent: string): string {
  const agent = userAgent.slice(0, 1_000);
  const nameIn = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(agent))?.[0];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(' · ').slice(0, MAX_DEVICE_LENGTH);
}

/** The session that the request's cookie stands for at this tenant, or null. */
export async function findSession(db: Database, request: PanelRequest): Promise<Session | null> {
  const { cookie, tenantId } = request;
  return cookie.isNew ? null : useSession(db, tenantId, hashCookie(cookie));
}

/**
 * Begins a session under a new cookie, so that a cookie that somebody has planted stands for
 * nothing, and ends the one of the old cookie. Null when the user, as it was found, is no more.
 */
export async function beginSession(
  db: Database,
  request: PanelRequest,
  user: User,
): Promise<PanelRequest | null> {
  const { tenantId } = request;
  // A tablet in the kitchen stays signed in, also after its browser was closed.
  const cookie = newBrowserCookie(user.role === 'service' ? constants.longSessionTtl : undefined);
  const { id: userId, password_hash: passwordHash } = user;
  const device = deviceName(request.context.headers.get('user-agent') ?? '');
  const session = { tenantId, userId, passwordHash, device, hash: hashCookie(cookie) };
  const begun = await createSession(db, session);
  await endBrowserSession(db, request);
  return begun ? { ...request, cookie } : null;
}

/** Ends the session of the request's cookie, if there is one. */
export async function endBrowserSession(db: Database, request: PanelRequest): Promise<void> {
  if (!request.cookie.isNew) await deleteSession(db, request.tenantId, hashCookie(request.cookie));
}
