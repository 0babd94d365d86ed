import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

// The log of actions on people. Neither passwords nor links are in it.

const peopleActions = [
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
] as const;
export type PeopleAction = (typeof peopleActions)[number];

/** Who acts: a user of the panel, a token, or an operator, with the name that is shown. */
export interface PeopleActor {
  kind: 'user' | 'token' | 'operator';
  name: string | null;
}

const entrySchema = v.object({
  at: v.date(),
  actor_kind: v.picklist(['user', 'token', 'operator']),
  actor_name: v.nullable(v.string()),
  action: v.picklist(peopleActions),
  /** The address of the person that it is about. */
  subject: v.string(),
  detail: v.nullable(v.string()),
});
export type PeopleEntry = v.InferOutput<typeof entrySchema>;

/** Notes an action, in the transaction that does it. */
export async function logPeople(
  db: Db,
  tenantId: number,
  actor: PeopleActor,
  entry: { action: PeopleAction; subject: string; detail?: string | null },
): Promise<void> {
  const { action, subject, detail = null } = entry;
  await db.run(sql.nothing`
    insert into people_log (tenant_id, actor_kind, actor_name, action, subject, detail)
    values (${tenantId}, ${actor.kind}, ${actor.name}, ${action}, ${subject}, ${detail})
  `);
}

/** A part of the actions: from a moment on, before one, of one actor. */
interface PeopleFilter {
  from?: Date | null;
  before?: Date | null;
  actor?: PeopleActor | null;
}

/** The latest actions at a restaurant, the newest first. */
export function listPeopleLog(
  db: Db,
  tenantId: number,
  limit: number,
  { from = null, before = null, actor = null }: PeopleFilter = {},
): Promise<readonly PeopleEntry[]> {
  const conditions = [
    from && sql.fragment`and at >= ${sql.timestamp(from)}`,
    before && sql.fragment`and at < ${sql.timestamp(before)}`,
    actor &&
      sql.fragment`and actor_kind = ${actor.kind} and actor_name is not distinct from ${actor.name}`,
  ].filter((one) => one !== null);
  return db.any(sql.type(entrySchema)`
    select at, actor_kind, actor_name, action, subject, detail from people_log
    where tenant_id = ${tenantId} ${sql.join(conditions, ' ')} order by id desc limit ${limit}
  `);
}
