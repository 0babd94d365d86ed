import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import type { InputSchema } from '../schema/validation/check-input.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import {
  type DoneAction,
  type KeptResults,
  lockActions,
  lockPlatformAction,
  platformResults,
  resultsOf,
} from '../sql/done-actions.ts';
import { lockSession } from '../sql/sessions.ts';
import { lockUsers, type UserLogActor } from '../sql/users.ts';

// People invite others, connect screens, add hosts … beside changing menus. An action is declared once,
// in the file of its noun. Routes, forms and commands parse, ask and show.

/** A client's name for a request, under which it is done once. */
export interface Once {
  /** An idempotency key, or the name of a form. */
  key: string;
  /** The client alone knows it, and it is stored nowhere: a token, or the name of a form. */
  credential: string;
  /** Tells requests apart that come under the same key. */
  request: string | Buffer;
}

/** A restaurant, and who acts there. */
export interface ActorContext {
  database: Pick<Database, 'transaction'>;
  tenantId: number;
  /** Of the restaurant, for messages to operators. */
  slug: string;
  actor: UserLogActor;
}

/** The same, and how an action is asked for. */
export interface ActionContext extends ActorContext {
  /** DOMAIN. */
  domain: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Null: each request is another one. */
  once?: Once | null;
  /** Of somebody in the panel: nothing is done for a session that has ended. */
  sessionHash?: Buffer;
}

/** A restaurant, user or token that an operator names is not there. */
export class MissingError extends OperatorError {
  override name = 'MissingError';
}

/** The session of somebody who asks for an action has ended. */
export class SessionEndedError extends Error {
  override name = 'SessionEndedError';
}

/** An action: the input that it takes, and the work that makes the result, as JSON has it. */
export interface RestaurantAction<S extends InputSchema, R> {
  input: S;
  /**
   * Runs in a transaction while no other action of the restaurant does, so that counts stay true. A
   * refusal that is thrown undoes the transaction. One that is returned keeps what was written, such as
   * a counted attempt.
   *
   * @throws InvalidError
   */
  work(db: Db, context: ActionContext, input: v.InferOutput<S>): Promise<R | InvalidError>;
}

/** The result of an action, and whether an earlier request has done it. */
export interface Done<R> {
  result: R;
  isRepeated: boolean;
}

/**
 * Does an action. A repeated request gets the result of the first one, with the secrets in it.
 *
 * @param input checked by the action's schema
 * @throws InvalidError what the action refuses, and when the key was used for another request
 * @throws SessionEndedError
 */
export async function perform<S extends InputSchema, R>(
  { work }: RestaurantAction<S, R>,
  context: ActionContext,
  input: v.InferOutput<S>,
): Promise<Done<R>> {
  const { database, tenantId, sessionHash, once } = context;
  const done = await database.transaction(async (db) => {
    await lockActions(db, tenantId);
    if (sessionHash) await holdSession(db, tenantId, sessionHash);
    return doOnce(resultsOf(db, tenantId), once, () => work(db, context, input));
  });
  if (done instanceof InvalidError) throw done;
  return done;
}

/** A transaction in the place of the database: work that asks for one of its own joins it. */
export type Joinable = Db & Pick<Database, 'transaction'>;

/** Does work that has transactions of its own in a single one. */
export function inOneTransaction<R>(
  database: Pick<Database, 'transaction'>,
  work: (database: Joinable) => Promise<R>,
): Promise<R> {
  return database.transaction((db) => work({ ...db, transaction: (inner) => inner(db) }));
}

/**
 * Does the work of an operator's request, which need not name a restaurant. A repeated request gets the
 * result of the first one. With a key, all of the work is one transaction.
 *
 * @throws InvalidError as the work does, and when the key was used for another request
 */
export function performForOperator<R>(
  database: Joinable,
  once: Once | null,
  work: (database: Joinable) => Promise<R>,
): Promise<R> {
  if (!once) return work(database);
  return inOneTransaction(database, async (joined) => {
    await lockPlatformAction(joined, derive(once, 'name'));
    const done = await doOnce(platformResults(joined), once, () => work(joined));
    if (done instanceof InvalidError) throw done;
    return done.result;
  });
}

async function doOnce<R>(
  kept: KeptResults,
  once: Once | null | undefined,
  work: () => Promise<R | InvalidError>,
): Promise<Done<R> | InvalidError> {
  const former = once && (await findFormer<R>(kept, once));
  if (former) return former;
  const result = await work();
  if (result instanceof InvalidError) return result;
  if (once) await kept.save(sealed(once, result));
  return { result, isRepeated: false };
}

async function holdSession(db: Db, tenantId: number, sessionHash: Buffer): Promise<void> {
  // Lock the users before the session: a change of password takes its locks in this order.
  await lockUsers(db, tenantId);
  if (!(await lockSession(db, tenantId, sessionHash))) throw new SessionEndedError();
}

/** The result of an earlier request under the same key, or null. @throws InvalidError */
async function findFormer<R>(kept: KeptResults, once: Once): Promise<Done<R> | null> {
  const former = await kept.find(derive(once, 'name'));
  if (!former) return null;
  if (!former.request.equals(digest(once.request))) {
    throw new InvalidError({ idempotency_key: [broken('keyReused')] });
  }
  return { result: JSON.parse(unseal(once, former.result)) as R, isRepeated: true };
}

const digest = (request: Once['request']) => createHash('sha256').update(request).digest();

function sealed(once: Once, result: unknown): DoneAction {
  const key = derive(once, 'name');
  return { key, request: digest(once.request), result: seal(once, JSON.stringify(result)) };
}

/** Both need the credential, so that what is stored yields neither the other one nor the key. */
function derive({ credential, key }: Once, purpose: 'name' | 'seal'): Buffer {
  return createHmac('sha256', credential).update(`${purpose}/${key}`).digest();
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

function seal(once: Once, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, derive(once, 'seal'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function unseal(once: Once, bytes: Buffer): string {
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, derive(once, 'seal'), iv);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return (
    decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') +
    decipher.final('utf8')
  );
}
