import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { queues } from '../schema/queues.ts';
import { writeSchema } from '../schema/write.ts';

/** Longest delay of any job, in s; a later start shows that the clock was set back. */
const LATEST_START_SECONDS = 120;

/** The schema that belongs to pg-boss alone. */
export const bossSchema = 'pgboss';

/** A table of pg-boss's own. */
const bossTable = (name: string) => sql.identifier([bossSchema, name]);

/**
 * Counts pg-boss's jobs for Postgres' planner. Where it knows of none, though many have gathered while
 * no worker ran, or came with a backup, pg-boss looks through all of them for each that it takes.
 */
export async function analyzeJobs(db: Db): Promise<void> {
  await db.run(sql.nothing`analyze ${bossTable('job')}`);
}

const job = bossTable('job');
const names = sql.array(Object.values(queues), 'text');

const namedJobSchema = v.object({ name: v.string(), id: v.string(), state: v.string() });
type NamedJob = v.InferOutput<typeof namedJobSchema>;

/**
 * Jobs that pg-boss stamped before Postgres' clock was set back, `limit` at most: they begin later
 * than any job of ours may, or their worker's last sign of life is yet to come.
 */
export function findJobsAhead(db: Db, limit: number): Promise<readonly NamedJob[]> {
  // As pg-boss' index of waiting jobs has it.
  return db.any(sql.type(namedJobSchema)`
    (select name, id, state::text from ${job}
      where name = any (${names}) and state < 'active' and not blocked
        and start_after > now() + make_interval(secs => ${LATEST_START_SECONDS})
      limit ${limit})
    union all
    (select name, id, state::text from ${job}
      where name = any (${names}) and state = 'active'
        and heartbeat_on > now() + interval '10 seconds'
      limit ${limit})
  `);
}

/**
 * Jobs, `limit` at most, that a worker took and has let go by without a heartbeat for longer than
 * pg-boss waits. It looks every second, unless it believes that it has looked in the future.
 */
export function findAbandonedJobs(db: Db, limit: number): Promise<readonly NamedJob[]> {
  return db.any(sql.type(namedJobSchema)`
    select name, id, state::text from ${job}
    where name = any (${names}) and state = 'active'
      and heartbeat_on + make_interval(secs => heartbeat_seconds + 5) < now()
    limit ${limit}
  `);
}

const jobless = v.pick(writeSchema, ['tenant_id', 'id', 'resource', 'action']);

/** Writes that wait and have no job, `limit` at most, in their order. */
export function findWritesWithoutJob(db: Db, limit: number) {
  return db.any(sql.type(jobless)`
    select tenant_id, id, resource, action from writes w
    where finished_at is null
      and not exists (select from ${job} where name = ${queues.menuWrites} and id = w.id)
    order by tenant_id, batch, id limit ${limit}
  `);
}

/** Whether a restaurant's job of at least that priority has waited for longer than that. */
export function hasWaitedFor(db: Db, ms: number, minPriority: number): Promise<boolean> {
  return db.one(sql.value(v.boolean())`
    select exists (
      select from ${job}
      where name = ${queues.menuWrites} and state < 'active' and not blocked
        and priority >= ${minPriority} and start_after <= now()
        and created_on < now() - make_interval(secs => ${ms / 1_000})
    ) as has
  `);
}

const queueStateSchema = v.object({
  name: v.string(),
  waiting: v.number(),
  /** For how long the oldest of them has waited, in seconds. */
  oldest: v.number(),
});
export type QueueState = v.InferOutput<typeof queueStateSchema>;

/**
 * The queues that there are, with the jobs that wait for a first run or for another one; read from
 * pg-boss's own tables.
 */
export function findQueueStates(db: Db): Promise<readonly QueueState[]> {
  return db.any(sql.type(queueStateSchema)`
    select q.name, count(j.id)::int4 as waiting,
      coalesce(extract(epoch from now() - min(j.created_on)), 0)::float8 as oldest
    from ${bossTable('queue')} q
    -- No job of ours is ever blocked, but only who says so is given the index of those that wait.
    left join ${bossTable('job')} j on j.name = q.name and j.state < 'active' and not j.blocked
    group by q.name
    order by q.name
  `);
}

/**
 * When the oldest job of events that is still to be done was sent, those put aside among them; null
 * when there is none. One that was put aside, or put back, has a new date of its own: its first event
 * occurred no more than moments after it was sent.
 */
export function findOldestEventJob(db: Db): Promise<Date | null> {
  return db.one(sql.value(v.nullable(v.date()))`
    select min(
      case when source_id is null and source_root_id is null then created_on
        else to_timestamp((data->'occurred_at'->>0)::float8 / 1000) end
    ) as oldest
    from ${bossTable('job')}
    where name in (${queues.analyticsEvents}, ${queues.analyticsEventsFailed})
      and state < 'completed'
  `);
}

/** The queues that the database lacks: all of them, where only the schema `public` was restored. */
export async function findMissingQueues(db: Db): Promise<readonly string[]> {
  const table = `${bossSchema}.queue`;
  const has = await db.one(sql.value(v.boolean())`select to_regclass(${table}) is not null as has`);
  if (!has) return Object.values(queues);
  return db.any(sql.value(v.string())`
    select unnest(${names}) except select name from ${bossTable('queue')}
  `);
}

const faultyWritesSchema = v.object({
  count: v.number(),
  /** The error of the last of them, as the queue kept it. */
  error: v.nullable(v.string()),
});

/** The writes of the last 24 hours that were given up, since an unexpected error came every time. */
export function findFaultyWrites(db: Db) {
  const faulty = sql.fragment`
    from writes
    where outcome->>'kind' = 'failed' and finished_at > now() - interval '24 hours'
  `;
  return db.one(sql.type(faultyWritesSchema)`
    select count(*)::int4 as count,
      (select error ${faulty} order by finished_at desc limit 1) as error ${faulty}
  `);
}
