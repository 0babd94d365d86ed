import { hash, randomBytes } from 'node:crypto';
import type * as v from 'valibot';
import { type Db, isUniqueViolation } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { DAY } from '../runtime/day.ts';
import { invitationInput, type Role } from '../schema/user.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import { findQuota } from '../sql/restaurants.ts';
import {
  countUsers,
  createUser,
  deleteUser,
  dropLinks,
  endSessions,
  findUserById,
  hasOtherOwner,
  type LinkPurpose,
  lockUsers,
  logUserAction,
  replacePassword,
  saveLink,
  takeLink,
  type User,
  type UserAction,
  type UserLogActor,
  writeUser,
} from '../sql/users.ts';
import { deleteVisits } from '../sql/visits.ts';
import type { ActorContext, RestaurantAction } from './action.ts';

// Actions on the people of a restaurant, each in one transaction, with its entry in their log.

/** How long an invitation is valid, and a link to choose a password or confirm an address, in ms. */
const INVITATION_TTL = 7 * DAY;
const PASSWORD_LINK_TTL = 3_600_000;

async function makeLink(db: Db, tenantId: number, userId: number, purpose: LinkPurpose) {
  const secret = newLinkSecret();
  const validity = purpose.kind === 'invitation' ? INVITATION_TTL : PASSWORD_LINK_TTL;
  await saveLink(db, { ...purpose, tenantId, userId, hash: hashSecret(secret), validity });
  return secret;
}

/** Does something about one user, in a transaction with all users locked; null when there is none. */
function withUser<T>(
  { database, tenantId }: ActorContext,
  id: number,
  work: (db: Db, user: User) => Promise<T>,
): Promise<T | null> {
  return database.transaction(async (db) => {
    await lockUsers(db, tenantId);
    const user = await findUserById(db, tenantId, id);
    return user && work(db, user);
  });
}

/** @throws InvalidError when the restaurant would have no owner without this user */
async function spareOwner(db: Db, { tenantId, slug }: ActorContext, user: User): Promise<void> {
  const counts = user.role === 'owner' && user.password_hash !== null;
  if (!counts || (await hasOtherOwner(db, tenantId, user.id))) return;
  const text = `${user.email} is the last owner of ${slug}: make another user an owner first.`;
  throw new InvalidError({ role: [broken('lastOwner')] }, text);
}

function emailTaken({ slug }: Pick<ActorContext, 'slug'>, email: string): InvalidError {
  const text = `The tenant ${slug} has a user ${email} already.`;
  return new InvalidError({ email: [broken('unique')] }, text);
}

export interface Invited extends v.InferOutput<typeof invitationInput> {
  id: number;
  state: 'invited';
  /** Of the link; it is stored nowhere. */
  secret: string;
}

/** Invites somebody: a user who has no password yet, and a link to choose one. */
export const invite: RestaurantAction<typeof invitationInput, Invited> = {
  input: invitationInput,
  work: async (db, context, { name, email, role }) => {
    const { tenantId, slug, actor } = context;
    await lockUsers(db, tenantId);
    const max = constants.maxUsers;
    const count = await countUsers(db, tenantId);
    const quota = await findQuota(db, tenantId, 'max_users');
    if (quota !== null && count >= quota) {
      const text = `The tenant ${slug} has a quota of ${quota} users.`;
      throw new InvalidError({ users: [broken('quota', { max: quota })] }, text);
    }
    if (count >= max) {
      const text = `The tenant ${slug} has ${max} users already.`;
      throw new InvalidError({ email: [broken('maxItems', { max })] }, text);
    }
    const id = await createUser(db, { tenantId, email, passwordHash: null, name, role });
    if (id === null) throw emailTaken(context, email);
    const secret = await makeLink(db, tenantId, id, { kind: 'invitation', email: null });
    await logUserAction(db, tenantId, actor, { action: 'invited', subject: email, detail: role });
    return { id, name, email, role, state: 'invited', secret };
  },
};

/**
 * Makes a new link for a user: to join for somebody who is invited, else to choose another password.
 * The former one is valid no more.
 *
 * @param isLogged whether the log tells of it; requests of strangers are not told
 * @returns null without such a user
 */
export function makeAccountLink(
  context: ActorContext,
  id: number,
  isLogged = true,
): Promise<{ user: User; secret: string; kind: 'invitation' | 'password' } | null> {
  return withUser(context, id, async (db, user) => {
    const kind = user.password_hash === null ? 'invitation' : 'password';
    const secret = await makeLink(db, context.tenantId, id, { kind, email: null });
    const action: UserAction = kind === 'invitation' ? 'resent' : 'password_link';
    if (isLogged) {
      await logUserAction(db, context.tenantId, context.actor, { action, subject: user.email });
    }
    return { user, secret, kind };
  });
}

/**
 * Changes a user's name or role. Another role ends the user's sessions.
 *
 * @returns the user as it was; null without such a user
 * @throws InvalidError
 */
export function changeUser(
  context: ActorContext,
  id: number,
  { name, role }: { name?: string | undefined; role?: Role | undefined },
): Promise<User | null> {
  const { tenantId, actor } = context;
  return withUser(context, id, async (db, user) => {
    const subject = user.email;
    if (role !== undefined && role !== user.role) {
      await spareOwner(db, context, user);
      await writeUser(db, tenantId, id, { role });
      await endSessions(db, tenantId, id);
      await deleteVisits(db, tenantId, id);
      const detail = `${user.role} → ${role}`;
      await logUserAction(db, tenantId, actor, { action: 'role', subject, detail });
    }
    if (name !== undefined && name !== user.name) {
      await writeUser(db, tenantId, id, { name });
      await logUserAction(db, tenantId, actor, { action: 'name', subject, detail: name });
    }
    return user;
  });
}

/**
 * Removes a user with its sessions, tokens, links and passkeys.
 *
 * @returns the user as it was; null without such a user
 * @throws InvalidError
 */
export function removeUser(context: ActorContext, id: number): Promise<User | null> {
  const { tenantId, actor } = context;
  return withUser(context, id, async (db, user) => {
    // An operator may remove everybody: a command makes the next owner.
    if (actor.kind !== 'operator') await spareOwner(db, context, user);
    await deleteUser(db, tenantId, id);
    const action = user.password_hash === null ? 'withdrawn' : 'removed';
    await logUserAction(db, tenantId, actor, { action, subject: user.email, detail: user.role });
    return user;
  });
}

/** Ends a user's sessions, but one; null without such a user. */
export function endAllSessions(context: ActorContext, id: number, except: Buffer | null = null) {
  const { tenantId, actor } = context;
  return withUser(context, id, async (db, user) => {
    const ended = await endSessions(db, tenantId, id, except);
    await logUserAction(db, tenantId, actor, { action: 'sessions_ended', subject: user.email });
    return ended;
  });
}

/** The choice of a person who uses a link. */
interface LinkChoice {
  passwordHash: string;
  /** Of somebody who joins. */
  name?: string;
}

/**
 * Uses a link to join, or to choose another password. It is valid once.
 *
 * @returns the user, who may sign in now; null when the link is not valid
 */
export function usePasswordLink(
  { database, tenantId }: Omit<ActorContext, 'actor'>,
  secret: string,
  { passwordHash, name }: LinkChoice,
): Promise<User | null> {
  return database.transaction(async (db) => {
    await lockUsers(db, tenantId);
    const hash = hashLinkSecret(secret);
    const link = hash && (await takeLink(db, tenantId, hash));
    if (!link || link.kind === 'email' || link.kind === 'visit') return null;
    const user = await findUserById(db, tenantId, link.user_id);
    const joins = link.kind === 'invitation';
    if (!user || joins !== (user.password_hash === null)) return null;
    await replacePassword(db, tenantId, user, passwordHash);
    if (joins && name !== undefined) await writeUser(db, tenantId, user.id, { name });
    const actor: UserLogActor = { kind: 'user', name: user.email };
    const action = joins ? 'joined' : 'password';
    await logUserAction(db, tenantId, actor, { action, subject: user.email });
    return findUserById(db, tenantId, user.id);
  });
}

/** Gives a user another address. @throws InvalidError */
async function changeEmail(
  db: Db,
  context: Omit<ActorContext, 'actor'>,
  user: User,
  email: string,
): Promise<void> {
  const { tenantId } = context;
  try {
    await writeUser(db, tenantId, user.id, { email });
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken(context, email) : error;
  }
  // They went to the former address.
  await dropLinks(db, tenantId, user.id, ['password', 'email']);
  const actor: UserLogActor = { kind: 'user', name: user.email };
  await logUserAction(db, tenantId, actor, { action: 'email', subject: user.email, detail: email });
}

/**
 * Gives a user another address at once, where no mail can confirm it.
 *
 * @throws InvalidError
 */
export async function setEmail(context: ActorContext, id: number, email: string): Promise<void> {
  await withUser(context, id, (db, user) => changeEmail(db, context, user, email));
}

/** Makes the link that confirms another address, to be mailed there; null without such a user. */
export function makeEmailLink(context: ActorContext, id: number, email: string) {
  return withUser(context, id, (db) =>
    makeLink(db, context.tenantId, id, { kind: 'email', email }),
  );
}

/**
 * Uses a link that confirms an address.
 *
 * @returns the address; null when the link is not valid
 * @throws InvalidError
 */
export function useEmailLink(context: Omit<ActorContext, 'actor'>, secret: string) {
  const { database, tenantId } = context;
  return database.transaction(async (db) => {
    await lockUsers(db, tenantId);
    const hash = hashLinkSecret(secret);
    const link = hash && (await takeLink(db, tenantId, hash));
    const user = link && (await findUserById(db, tenantId, link.user_id));
    if (!user || link.kind !== 'email') return null;
    await changeEmail(db, context, user, link.email);
    return link.email;
  });
}

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** The secret of a new link; only its hash is stored. */
export function newLinkSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The secret is random: a fast hash is safe. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The stored form of a link's secret; null for other texts. */
export function hashLinkSecret(secret: string): Buffer | null {
  return SECRET.test(secret) ? hashSecret(secret) : null;
}

/** Where a link leads. @param origin of the restaurant, such as `https://osteria.example.com` */
export function linkAddress(origin: string, secret: string): string {
  return `${origin}/admin/link/${secret}`;
}
