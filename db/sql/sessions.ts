import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { roleSchema } from '../schema/user.ts';
import { type PanelChange, panelChangeSchema } from '../schema/write.ts';

/** Age of a session's last use from which on a page stores another one, in ms. */
const SESSION_USE_INTERVAL = 60_000;
/** Ended windows of other accounts and addresses that an attempt deletes. */
const ATTEMPTS_PER_CLEARING = 100;

interface NewSession {
  tenantId: number;
  userId: number;
  /** That of the password that the user had when it showed who it is. */
  passwordHash: string | null;
  /** The browser, as it calls itself. */
  device: string;
  /** SHA-256 of the cookie's value. */
  hash: Buffer;
}

const ago = (ms: number) => sql.fragment`now() - make_interval(secs => ${ms / 1_000})`;

const begin = sql.fragment`created_at`;
const use = sql.fragment`used_at`;
const future = sql.fragment`now() + interval '1 minute'`;

/**
 * When a session is over, by Postgres' clock, because gateways' clocks may differ. A session that has
 * begun in the future is over, too: that clock was set back since. An index yields the sessions of
 * each way, in the order of a column, and no others.
 */
export const sessionEnds = [
  { by: begin, isOver: sql.fragment`is_long and created_at > ${future}` },
  { by: begin, isOver: sql.fragment`is_long and created_at <= ${ago(constants.longSessionTtl)}` },
  { by: begin, isOver: sql.fragment`not is_long and created_at > ${future}` },
  { by: begin, isOver: sql.fragment`not is_long and created_at < ${ago(constants.sessionTtl)}` },
  { by: use, isOver: sql.fragment`not is_long and used_at <= ${ago(constants.sessionIdleTtl)}` },
];
const ends = sessionEnds.map(({ isOver }) => isOver);
const isSessionOver = sql.fragment`(${sql.join(ends, ' or ')})`;

/**
 * Begins a session of a panel user, and clears away those of the tenant that are over. False when
 * the user has been deleted meanwhile, or the password changed: that ends every session, and one whose
 * password was still being checked would outlive it.
 */
export function createSession(db: Db, session: NewSession): Promise<boolean> {
  const { tenantId, userId, passwordHash, device, hash } = session;
  return db.touches(sql.nothing`
    with over as (
      delete from sessions
      where tenant_id = ${tenantId} and ${isSessionOver}
    )
    insert into sessions (tenant_id, hash, user_id, created_at, used_at, device, is_long)
    select tenant_id, ${sql.binary(hash)}, id, now(), now(), ${device}, role = 'service'
    from users
    where tenant_id = ${tenantId} and id = ${userId}
      -- A visitor from the chain has no password.
      and (password_hash = ${passwordHash} or (home_id is not null and ${passwordHash}::text is null))
    for share
  `);
}

const sessionSchema = v.object({
  user_id: v.number(),
  email: v.string(),
  name: v.string(),
  role: roleSchema,
  language: v.nullable(v.string()),
  /** The restaurant's, in which the panel writes dates. */
  timezone: v.string(),
  /** Of the restaurant's texts. */
  default_locale: v.string(),
  /** Whether the restaurant is a master or a branch of a chain. */
  in_chain: v.boolean(),
  /** Whether it is an owner of the chain's master, who visits this branch. */
  is_visitor: v.boolean(),
});
export type Session = v.InferOutput<typeof sessionSchema>;

/**
 * The tenant's session with this hash; null when there is none or it is over. Its use is stored once a
 * minute, because a page that stores nothing waits for no disk.
 *
 * @param hash SHA-256 of the cookie's value
 */
export function useSession(db: Db, tenantId: number, hash: Buffer): Promise<Session | null> {
  return db.maybeOne(sql.type(sessionSchema)`
    with s as (
      select tenant_id, hash, user_id, used_at from sessions
      where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and not ${isSessionOver}
    ), used as (
      update sessions set used_at = now() from s
      where sessions.tenant_id = s.tenant_id and sessions.hash = s.hash
        and s.used_at < now() - make_interval(secs => ${SESSION_USE_INTERVAL / 1_000})
    )
    select s.user_id, u.email, u.name, u.role, u.language, r.timezone, r.default_locale,
      exists (
        select from chain_branches b where s.tenant_id in (b.tenant_id, b.master_id)
      ) as in_chain, u.home_id is not null as is_visitor
    from s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join settings r on r.tenant_id = s.tenant_id
  `);
}

/** Keeps a session from ending before the transaction does; false when it has ended. */
export function lockSession(db: Db, tenantId: number, hash: Buffer): Promise<boolean> {
  return db.touches(sql.nothing`
    select from sessions where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} for key share
  `);
}

/** Ends the tenant's session with this hash; harmless when there is none. */
export async function deleteSession(db: Db, tenantId: number, hash: Buffer): Promise<void> {
  await db.run(sql.nothing`
    delete from sessions where tenant_id = ${tenantId} and hash = ${sql.binary(hash)}
  `);
}

const listedSessionSchema = v.object({
  /** Names the session; it does not yield the cookie. */
  id: v.string(),
  device: v.string(),
  created_at: v.date(),
  used_at: v.date(),
  is_current: v.boolean(),
});
export type ListedSession = v.InferOutput<typeof listedSessionSchema>;

/** Whether a session is the one with a hash; none is it without one. */
export function isHash(hash: Buffer | null) {
  return hash === null ? sql.fragment`false` : sql.fragment`hash = ${sql.binary(hash)}`;
}

/** The first letters of a hash, which tell a user's sessions apart. */
const sessionId = sql.fragment`left(encode(hash, 'hex'), 16)`;

/**
 * A user's sessions, that used last first.
 *
 * @param current the hash of the one that asks
 */
export function listSessions(db: Db, tenantId: number, userId: number, current: Buffer | null) {
  return db.any(sql.type(listedSessionSchema)`
    select ${sessionId} as id, device, created_at, used_at,
      ${isHash(current)} as is_current
    from sessions where tenant_id = ${tenantId} and user_id = ${userId} and not ${isSessionOver}
    order by used_at desc, hash
  `);
}

/** Ends one of a user's sessions; false when there is none of this id. */
export function endSession(db: Db, tenantId: number, userId: number, id: string) {
  return db.touches(sql.nothing`
    delete from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and ${sessionId} = ${id}
  `);
}

interface ChangeKey {
  tenantId: number;
  sessionHash: Buffer;
  /** That of the form. */
  id: string;
}

/** Keeps what a form has changed. A form that is sent again changes nothing more. */
export async function saveChange(db: Db, key: ChangeKey, change: PanelChange): Promise<void> {
  await db.run(sql.nothing`
    insert into panel_changes (tenant_id, session_hash, id, said, undo)
    select tenant_id, hash, ${key.id}::uuid, ${JSON.stringify(change.said)}::jsonb,
      ${JSON.stringify(change.undo)}::jsonb
    from sessions where tenant_id = ${key.tenantId} and hash = ${sql.binary(key.sessionHash)}
    for key share
    on conflict (tenant_id, session_hash, id) do nothing
  `);
}

/** The change that a form of this session has made, or null. */
export function findChange(db: Db, key: ChangeKey): Promise<PanelChange | null> {
  return db.maybeOne(sql.type(panelChangeSchema)`
    select said, undo from panel_changes
    where tenant_id = ${key.tenantId} and session_hash = ${sql.binary(key.sessionHash)}
      and id = ${key.id}::uuid
  `);
}

/**
 * The key of an account or a client in `sign_in_attempts`: a hash that only this database can
 * make.
 *
 * @param name an e-mail address in lower case, or a client's network
 */
export function signInKey(name: string) {
  return sql.fragment`
    (select sha256(secret || convert_to(${name}, 'UTF8')) from sign_in_secret)
  `;
}

const windowSchema = v.object({
  count: v.number(),
  /** Until it is over, in ms. */
  remaining: v.number(),
});

/** Whose attempts are counted together. */
export interface AttemptKey {
  tenantId: number;
  kind: 'account' | 'address' | 'screen';
  /** An e-mail address in lower case, a client's network, or who guesses letters of screens. */
  name: string;
}

/**
 * Counts an attempt to sign in before its outcome is known: attempts made at once are counted like
 * those made one after the other. Windows that are over are deleted. So is one that begins in the
 * future: Postgres' clock, which alone decides, was set back since.
 */
export function countSignInAttempt(db: Db, { tenantId, kind, name }: AttemptKey) {
  const length = sql.fragment`make_interval(secs => ${constants.signInWindow / 1_000})`;
  const isOver = sql.fragment`
    a.started_at not between now() - ${length} and now() + interval '1 minute'
  `;
  const key = signInKey(name);
  return db.one(sql.type(windowSchema)`
    with over as (
      select tenant_id, kind, key from sign_in_attempts a
      where tenant_id = ${tenantId} and ${isOver}
        and not (kind = ${kind} and key = ${key})
      limit ${ATTEMPTS_PER_CLEARING}
      for update skip locked
    ), cleared as (
      delete from sign_in_attempts a using over o
      where a.tenant_id = o.tenant_id and a.kind = o.kind and a.key = o.key
    )
    insert into sign_in_attempts as a (tenant_id, kind, key, count, started_at)
    values (${tenantId}, ${kind}, ${key}, 1, now())
    on conflict (tenant_id, kind, key) do update set
      count = case when ${isOver} then 1 else a.count + 1 end,
      started_at = case when ${isOver} then excluded.started_at else a.started_at end
    returning count, (extract(epoch from started_at + ${length} - now()) * 1000)::float8 as remaining
  `);
}

/**
 * After a sign-in that succeeded: the account's attempts are forgotten, and the address gets back
 * the one that this sign-in was counted as.
 */
export async function forgiveSignInAttempts(
  db: Db,
  tenantId: number,
  account: string,
  address: string,
): Promise<void> {
  await db.run(sql.nothing`
    with forgotten as (
      delete from sign_in_attempts
      where tenant_id = ${tenantId} and kind = 'account' and key = ${signInKey(account)}
    )
    update sign_in_attempts set count = greatest(count - 1, 0)
    where tenant_id = ${tenantId} and kind = 'address' and key = ${signInKey(address)}
  `);
}
