import * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import { type Db, sql } from '../postgres/sql.ts';
import { type Role, roleSchema } from '../schema/user.ts';
import { localeSchema } from '../schema/values/locale.ts';
import { isHash, signInKey } from './sessions.ts';
import { endVisits } from './visits.ts';

interface NewUser {
  tenantId: number;
  email: string;
  /** As `hashPassword` makes it; null for somebody who is invited. */
  passwordHash: string | null;
  name?: string;
  /** By default an owner. */
  role?: Role;
}

/** Inserts a panel user and returns its id, or null when the tenant has one with this address. */
export function createUser(db: Db, user: NewUser): Promise<number | null> {
  const { tenantId, email, passwordHash, name = '', role = 'owner' } = user;
  return db.maybeOne(sql.value(v.number())`
    insert into users (tenant_id, email, password_hash, name, role)
    values (${tenantId}, lower(${email}), ${passwordHash}, ${name}, ${role})
    on conflict (tenant_id, email) do nothing
    returning id
  `);
}

export const userSchema = v.object({
  id: v.number(),
  email: v.string(),
  name: v.string(),
  role: roleSchema,
  language: v.nullable(v.string()),
  password_hash: v.nullable(v.string()),
});
export type User = v.InferOutput<typeof userSchema>;

export const userColumns = sql.columnsOf(userSchema);

/** Visitors from the chain are no users of the restaurant itself. */
const isOwn = sql.fragment`home_id is null`;

/** The tenant's panel user with this address, in lower case, or null. */
export function findUser(db: Db, tenantId: number, email: string): Promise<User | null> {
  return db.maybeOne(sql.type(userSchema)`
    select ${userColumns} from users where tenant_id = ${tenantId} and email = ${email} and ${isOwn}
  `);
}

/** The tenant's panel user with this id, or null. */
export function findUserById(db: Db, tenantId: number, id: number): Promise<User | null> {
  return db.maybeOne(sql.type(userSchema)`
    select ${userColumns} from users where tenant_id = ${tenantId} and id = ${id} and ${isOwn}
  `);
}

const ownerSchema = v.object({
  email: v.string(),
  name: v.string(),
  language: v.nullable(v.string()),
  slug: v.string(),
  /** Its name. */
  restaurant: v.string(),
  default_locale: localeSchema,
});

/** The restaurant's owners who have a password, each with what a message to them says of it. */
export function listOwners(db: Db, tenantId: number) {
  return db.any(sql.type(ownerSchema)`
    select u.email, u.name, u.language, t.slug, s.name as restaurant, s.default_locale
    from users u join tenants t on t.id = u.tenant_id join settings s on s.tenant_id = u.tenant_id
    where u.tenant_id = ${tenantId} and u.role = 'owner' and u.password_hash is not null
    order by u.email
  `);
}

const listedUserSchema = v.object({
  id: v.number(),
  name: v.string(),
  email: v.string(),
  role: roleSchema,
  state: v.picklist(['invited', 'active']),
  created_at: v.date(),
  active_tokens: v.number(),
  sessions: v.number(),
  /** Until when an invitation is valid; null for others, and when it is over. */
  invited_until: v.nullable(v.date()),
});
export type ListedUser = v.InferOutput<typeof listedUserSchema>;

/** The tenant's panel users in the order of their addresses. */
export function listUsers(db: Db, tenantId: number): Promise<readonly ListedUser[]> {
  return db.any(sql.type(listedUserSchema)`
    select u.id, u.name, u.email, u.role, u.created_at,
      case when u.password_hash is null then 'invited' else 'active' end as state,
      (
        select count(*)::int from tokens t
        where t.tenant_id = u.tenant_id and t.user_id = u.id and t.revoked_at is null
      ) as active_tokens,
      (
        select count(*)::int from sessions s where s.tenant_id = u.tenant_id and s.user_id = u.id
      ) as sessions,
      (
        select expires_at from account_links l
        where l.tenant_id = u.tenant_id and l.user_id = u.id and l.kind = 'invitation'
          and expires_at > now()
      ) as invited_until
    from users u where u.tenant_id = ${tenantId} and ${isOwn}
    order by u.email
  `);
}

/**
 * Locks a tenant's users until the transaction ends. Other calls wait, and so does a sign-in.
 * The tenant's menu can be changed meanwhile, and its users' sessions and tokens go on.
 */
export async function lockUsers(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    select from users where tenant_id = ${tenantId} order by id for no key update
  `);
}

/** Whether the tenant has an owner who can sign in, beside this user. Its users are locked. */
export function hasOtherOwner(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.one(sql.value(v.boolean())`
    select exists (
      select from users
      where tenant_id = ${tenantId} and id <> ${id} and role = 'owner' and password_hash is not null
    ) as has
  `);
}

/** How many users the tenant has, invited ones too. Its users are locked. */
export function countUsers(db: Db, tenantId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*)::int as count from users where tenant_id = ${tenantId} and ${isOwn}
  `);
}

/** Changes what is given of a user. False when another user has the address. */
export async function writeUser(
  db: Db,
  tenantId: number,
  id: number,
  change: Partial<Pick<User, 'name' | 'role' | 'email' | 'language'>>,
): Promise<void> {
  const { name = null, role = null, email = null } = change;
  const language = 'language' in change ? sql.fragment`${change.language}` : sql.fragment`language`;
  await db.run(sql.nothing`
    update users set name = coalesce(${name}, name), role = coalesce(${role}, role),
      email = coalesce(lower(${email}), email), language = ${language}
    where tenant_id = ${tenantId} and id = ${id}
  `);
}

/**
 * Ends a user's sessions, but one, and those in the branches of a chain; returns how many of the first
 * kind there were.
 */
export async function endSessions(
  db: Db,
  tenantId: number,
  userId: number,
  except: Buffer | null = null,
): Promise<number> {
  await endVisits(db, tenantId, userId);
  return db.count(sql.nothing`
    delete from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and not ${isHash(except)}
  `);
}

/**
 * Gives a panel user another password, ends the user's sessions, makes links to choose one invalid, and
 * forgets the failed sign-ins that keep the user out; what the user has made stays.
 *
 * @param except the session that goes on
 */
export async function replacePassword(
  db: Db,
  tenantId: number,
  { id, email }: Pick<User, 'id' | 'email'>,
  passwordHash: string,
  except: Buffer | null = null,
): Promise<void> {
  await db.run(sql.nothing`
    update users set password_hash = ${passwordHash} where tenant_id = ${tenantId} and id = ${id}
  `);
  // A statement of its own: it sees the session of a sign-in for which the first one had to wait.
  await endSessions(db, tenantId, id, except);
  await db.run(sql.nothing`
    delete from account_links
    where tenant_id = ${tenantId} and user_id = ${id} and kind in ('password', 'invitation')
  `);
  await db.run(sql.nothing`
    delete from sign_in_attempts
    where tenant_id = ${tenantId} and kind = 'account' and key = ${signInKey(email)}
  `);
}

/** The same by the user's address. False when the tenant has no such user. */
export function setPassword(
  database: Database,
  user: { tenantId: number; email: string; passwordHash: string },
): Promise<boolean> {
  const { tenantId, passwordHash } = user;
  return database.transaction(async (db) => {
    const found = await findUser(db, tenantId, user.email.toLowerCase());
    if (!found) return false;
    await replacePassword(db, tenantId, found, passwordHash);
    return true;
  });
}

/** Deletes a panel user and with it its tokens, sessions, links and passkeys; false without one. */
export function deleteUser(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from users where tenant_id = ${tenantId} and id = ${id}
  `);
}

// Links that are valid once. The database holds a hash of each: its maker shows or mails it.

const linkKinds = ['invitation', 'password', 'email', 'visit'] as const;
type LinkKind = (typeof linkKinds)[number];

/** The purpose of a link; one of kind `email` confirms the address. */
export type LinkPurpose =
  | { kind: 'email'; email: string }
  | { kind: Exclude<LinkKind, 'email'>; email: null };

type NewLink = LinkPurpose & {
  tenantId: number;
  userId: number;
  /** SHA-256 of the link's secret. */
  hash: Buffer;
  /** How long it is valid, in ms. */
  validity: number;
};

/** Stores a link; the user's former one of this kind is valid no more. */
export async function saveLink(db: Db, link: NewLink): Promise<void> {
  const { tenantId, userId, kind, hash, email, validity } = link;
  await db.run(sql.nothing`
    insert into account_links (tenant_id, user_id, kind, hash, email, expires_at)
    values (${tenantId}, ${userId}, ${kind}, ${sql.binary(hash)}, ${email},
      now() + make_interval(secs => ${validity / 1_000}))
    on conflict (tenant_id, user_id, kind) do update set
      hash = excluded.hash, email = excluded.email, created_at = now(),
      expires_at = excluded.expires_at
  `);
}

const linkSchema = v.variant('kind', [
  v.object({ user_id: v.number(), kind: v.literal('email'), email: v.string() }),
  v.object({
    user_id: v.number(),
    kind: v.picklist(['invitation', 'password', 'visit']),
    email: v.null(),
  }),
]);
export type Link = v.InferOutput<typeof linkSchema>;

/** The link with this hash, or null when there is none, or its time is over. It stays valid. */
export function findLink(db: Db, tenantId: number, hash: Buffer): Promise<Link | null> {
  return db.maybeOne(sql.type(linkSchema)`
    select user_id, kind, email from account_links
    where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and expires_at > now()
  `);
}

/**
 * The same, for the last time: of two who use a link at once one finds it.
 *
 * @param kind of the only links to take; null for any
 */
export function takeLink(db: Db, tenantId: number, hash: Buffer, kind: LinkKind | null = null) {
  return db.maybeOne(sql.type(linkSchema)`
    delete from account_links
    where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and expires_at > now()
      and (${kind}::text is null or kind = ${kind})
    returning user_id, kind, email
  `);
}

/** Makes a user's links of some kinds invalid. */
export async function dropLinks(
  db: Db,
  tenantId: number,
  userId: number,
  kinds: readonly LinkKind[],
): Promise<void> {
  await db.run(sql.nothing`
    delete from account_links
    where tenant_id = ${tenantId} and user_id = ${userId}
      and kind = any (${sql.array(kinds, 'text')})
  `);
}

// The log of actions on people. Neither passwords nor links are in it.

const userActions = [
  'invited',
  'joined',
  'resent',
  'withdrawn',
  'removed',
  'role',
  'name',
  'email',
  'password',
  'password_link',
  'passkey_added',
  'passkey_removed',
  'session_ended',
  'sessions_ended',
  'visited',
] as const;
export type UserAction = (typeof userActions)[number];

/** Who acts: a user of the panel, a token, or an operator, with the name that is shown. */
export interface UserLogActor {
  kind: 'user' | 'token' | 'operator';
  name: string | null;
}

const entrySchema = v.object({
  at: v.date(),
  actor_kind: v.picklist(['user', 'token', 'operator']),
  actor_name: v.nullable(v.string()),
  action: v.picklist(userActions),
  /** The address of the person that it is about. */
  subject: v.string(),
  detail: v.nullable(v.string()),
});
export type UserLogEntry = v.InferOutput<typeof entrySchema>;

/** Notes an action, in the transaction that does it. */
export async function logUserAction(
  db: Db,
  tenantId: number,
  actor: UserLogActor,
  entry: { action: UserAction; subject: string; detail?: string | null },
): Promise<void> {
  const { action, subject, detail = null } = entry;
  await db.run(sql.nothing`
    insert into people_log (tenant_id, actor_kind, actor_name, action, subject, detail)
    values (${tenantId}, ${actor.kind}, ${actor.name}, ${action}, ${subject}, ${detail})
  `);
}

/** A part of the actions: from a moment on, before one, of one actor. */
interface UserLogFilter {
  from?: Date | null;
  before?: Date | null;
  actor?: UserLogActor | null;
}

/** The latest actions at a restaurant, the newest first. */
export function listUserLog(
  db: Db,
  tenantId: number,
  limit: number,
  { from = null, before = null, actor = null }: UserLogFilter = {},
): Promise<readonly UserLogEntry[]> {
  const wanted = sql.and(
    from && sql.fragment`at >= ${sql.timestamp(from)}`,
    before && sql.fragment`at < ${sql.timestamp(before)}`,
    actor &&
      sql.fragment`actor_kind = ${actor.kind} and actor_name is not distinct from ${actor.name}`,
  );
  return db.any(sql.type(entrySchema)`
    select at, actor_kind, actor_name, action, subject, detail from people_log
    where tenant_id = ${tenantId} ${wanted} order by id desc limit ${limit}
  `);
}
