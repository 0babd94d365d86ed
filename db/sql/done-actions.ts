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

/** A result as it is kept. */
export interface DoneAction {
  key: Buffer;
  request: Buffer;
  result: Buffer;
}

/** Where results are kept by the names of their requests. */
export interface KeptResults {
  /** The action that a client has had done under a key in the last `resultHours`, or null. */
  find(key: Buffer): Promise<Omit<DoneAction, 'key'> | null>;
  save(done: DoneAction): Promise<void>;
}

const isKept = sql.fragment`at > now() - make_interval(hours => ${constants.resultHours})`;
const replaced = sql.fragment`
  request = excluded.request, result = excluded.result, at = excluded.at
`;

/** The results of a restaurant, whose actions are locked. */
export function resultsOf(db: Db, tenantId: number): KeptResults {
  return {
    find: (key) =>
      db.maybeOne(sql.type(doneSchema)`
        select request, result from done_actions
        where tenant_id = ${tenantId} and key = ${sql.binary(key)} and ${isKept}
      `),
    save: async ({ key, request, result }) => {
      await db.run(sql.nothing`
        insert into done_actions (tenant_id, key, request, result)
        values (${tenantId}, ${sql.binary(key)}, ${sql.binary(request)}, ${sql.binary(result)})
        on conflict (tenant_id, key) do update set ${replaced}
      `);
    },
  };
}

/** Those of the platform's API. */
export function platformResults(db: Db): KeptResults {
  return {
    find: (key) =>
      db.maybeOne(sql.type(doneSchema)`
        select request, result from platform_actions
        where key = ${sql.binary(key)} and ${isKept}
      `),
    save: async ({ key, request, result }) => {
      await db.run(sql.nothing`
        insert into platform_actions (key, request, result)
        values (${sql.binary(key)}, ${sql.binary(request)}, ${sql.binary(result)})
        on conflict (key) do update set ${replaced}
      `);
    },
  };
}
