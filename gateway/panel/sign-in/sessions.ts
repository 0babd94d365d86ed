import type { Database } from '../../../db/postgres/connection.ts';
import { createSession } from '../../../db/sql/access/create-session.ts';
import { deleteSession } from '../../../db/sql/access/delete-session.ts';
import type { User } from '../../../db/sql/access/find-user.ts';
import { type Session, useSession } from '../../../db/sql/access/use-session.ts';
import type { Visit } from '../visit.ts';
import { hashCookie, newVisitCookie } from '../visit-cookie.ts';

/** The session that the visit's cookie stands for at this tenant, or null. */
export async function findSession(db: Database, visit: Visit): Promise<Session | null> {
  const { cookie, tenantId } = visit;
  return cookie.isNew ? null : useSession(db, tenantId, hashCookie(cookie));
}

/**
 * Begins a session under a new cookie, so that a cookie that somebody has planted stands for
 * nothing, and ends the one of the old cookie. Null when the user, as it was found, is no more.
 */
export async function beginSession(db: Database, visit: Visit, user: User): Promise<Visit | null> {
  const { tenantId } = visit;
  const cookie = newVisitCookie();
  const { id: userId, password_hash: passwordHash } = user;
  const session = { tenantId, userId, passwordHash, hash: hashCookie(cookie) };
  const begun = await createSession(db, session);
  await endSession(db, visit);
  return begun ? { ...visit, cookie } : null;
}

/** Ends the session of the visit's cookie, if there is one. */
export async function endSession(db: Database, visit: Visit): Promise<void> {
  if (!visit.cookie.isNew) await deleteSession(db, visit.tenantId, hashCookie(visit.cookie));
}
