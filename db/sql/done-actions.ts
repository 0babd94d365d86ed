import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

// Actions that were done under a name of the client's: of restaurants, and of operators.

async function lockName(db: Db, name: string) {
  await db.run(sql.nothing`
    select from (select pg_advisory_xact_lock(hashtextextended(${name}, 0))) locked
  `);
}

/** Lets the actions of a restaurant happen one after the other, until the transaction ends. */
export const lockActions = (db: Db, tenantId: number) => lockName(db, `actions/${tenantId}`);

/** Lets the requests of one name at the platform's API happen one after the other. */
export const lockPlatformAction = (db: Db, key: Buffer) =>
  lockName(db, `platform/${key.toString('hex')}`);

const doneSchema = v.object({ request: v.instance(Buffer), result: v.instance(Buffer) });

/** The action that a client has had done under a key in the last `resultHours`, or null. */
export function findDoneAction(db: Db, tenantId: number, key: Buffer) {
  return db.maybeOne(sql.type(doneSchema)`
    select request, result from done_actions
    where tenant_id = ${tenantId} and key = ${sql.binary(key)}
      and at > now() - make_interval(hours => ${constants.resultHours})
  `);
}

/** As `findDoneAction`, of the platform's API. */
export function findPlatformAction(db: Db, key: Buffer) {
  return db.maybeOne(sql.type(doneSchema)`
    select request, result from platform_actions
    where key = ${sql.binary(key)} and at > now() - make_interval(hours => ${constants.resultHours})
  `);
}

/** A result as it is kept. */
export interface DoneAction {
  key: Buffer;
  request: Buffer;
  result: Buffer;
}

/** Keeps the result of an action. The restaurant's actions are locked. */
export async function saveDoneAction(
  db: Db,
  tenantId: number,
  { key, request, result }: DoneAction,
): Promise<void> {
  await db.run(sql.nothing`
    insert into done_actions (tenant_id, key, request, result)
    values (${tenantId}, ${sql.binary(key)}, ${sql.binary(request)}, ${sql.binary(result)})
    on conflict (tenant_id, key) do update
      set request = excluded.request, result = excluded.result, at = excluded.at
  `);
}

/** As `saveDoneAction`, of the platform's API. */
export async function savePlatformAction(db: Db, { key, request, result }: DoneAction) {
  await db.run(sql.nothing`
    insert into platform_actions (key, request, result)
    values (${sql.binary(key)}, ${sql.binary(request)}, ${sql.binary(result)})
    on conflict (key) do update
      set request = excluded.request, result = excluded.result, at = excluded.at
  `);
}
