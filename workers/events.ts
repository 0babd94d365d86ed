import type { Job, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../db/postgres/connection.ts';
import { isContention } from '../db/postgres/outage.ts';
import type { Db } from '../db/postgres/sql.ts';
import { bindJobTransaction, POLLING } from '../db/queue/boss.ts';
import { constants } from '../db/runtime/constants.ts';
import {
  type AcceptedEvent,
  type EventJob,
  joinJobs,
  pickEvents,
  splitByTenant,
  toEvents,
} from '../db/schema/event.ts';
import { queues } from '../db/schema/queues.ts';
import { addCounts, addEmptySearches } from '../db/sql/counts.ts';
import {
  createPartitions,
  findKnownRecords,
  rememberEventIds,
  storeEvents,
} from '../db/sql/events.ts';
import { countEmptySearches, rollUp } from '../db/sql/roll-up.ts';
import { findPresentTenants } from '../db/sql/tenants.ts';
import { inSavepoint, takeTurn } from '../db/sql/transactions.ts';

/** Jobs of events in one transaction of a worker. */
const EVENT_JOBS_PER_BATCH = 16;

/** Makes the partitions for the days of jobs; `known` are the days that have theirs. */
async function ensurePartitions(db: Database, known: Set<string>, jobs: readonly Job<EventJob>[]) {
  const days = new Set(jobs.flatMap(({ data }) => data.day));
  const missing = [...days].filter((day) => !known.has(day));
  if (missing.length === 0) return;
  await createPartitions(db, missing);
  for (const day of missing) known.add(day);
}

/**
 * Takes jobs of events from the queue, many in one transaction. When they fail together, each job is
 * tried alone. A job that fails alone is replaced by one job for each of its restaurants, so that the
 * events of the others are counted. The queue retries a job of one restaurant, and at last puts it
 * aside in `queues.analyticsEventsFailed`.
 */
export async function startEventWork(db: Database, boss: PgBoss, log: Logger): Promise<void> {
  const knownDays = new Set<string>();

  const ingestOneByOne = async (tx: Db, jobs: readonly Job<EventJob>[]) => {
    const failures = new Map<Job<EventJob>, Error>();
    await takeTurn(tx, 'counts');
    for (const job of jobs) {
      await inSavepoint(tx, () => ingest(tx, [job.data])).catch((error: Error) => {
        log.error({ err: error, job: job.id }, 'a job of events failed; the queue will retry it');
        failures.set(job, error);
      });
    }
    return failures;
  };
  const ingestTogether = async (tx: Db, jobs: readonly Job<EventJob>[]) => {
    try {
      await ensurePartitions(db, knownDays, jobs);
      const data = jobs.map((job) => job.data);
      await inSavepoint(tx, () => ingest(tx, data));
      return new Map<Job<EventJob>, Error>();
    } catch (error) {
      // Nothing is wrong with any of them: others were in the way. All are tried again, together.
      if (isContention(error)) throw error;
      log.warn({ err: error, jobs: jobs.length }, 'events failed together; trying job by job');
      // Others may have dropped some partitions.
      knownDays.clear();
      return ingestOneByOne(tx, jobs);
    }
  };

  const work = {
    transactional: true,
    batchSize: EVENT_JOBS_PER_BATCH,
    burstWhenBatchFull: true,
    heartbeatRefreshSeconds: constants.jobHeartbeatSeconds,
    ...POLLING,
  } as const;
  for (let i = 0; i < constants.eventBatchesAtOnce; i += 1) {
    await boss.work<EventJob, void, typeof work>(
      queues.analyticsEvents,
      work,
      async (jobs, transaction) => {
        const [first] = jobs;
        if (!first) return;
        const failures = await ingestTogether(bindJobTransaction(transaction, first.signal), jobs);
        for (const [job, error] of failures) {
          const parts = splitByTenant(job.data);
          // As in `bindJobTransaction`: the queue sends its statement before anything else happens.
          first.signal.throwIfAborted();
          if (parts.length > 1) {
            const replacements = parts.map((data) => ({ data }));
            await boss.insert(queues.analyticsEvents, replacements, { db: transaction });
          } else {
            await boss.fail(queues.analyticsEvents, job.id, error, { db: transaction });
          }
        }
      },
    );
  }
}

/** Leaves out events whose client gave them an id that the tenant has had before. */
async function withoutRepeats(tx: Db, events: readonly AcceptedEvent[]): Promise<AcceptedEvent[]> {
  const first = new Map<string, AcceptedEvent>();
  const anonymous: AcceptedEvent[] = [];
  for (const event of events) {
    if (event.id === null) anonymous.push(event);
    else {
      const name = `${event.tenant_id} ${event.id}`;
      if (!first.has(name)) first.set(name, event);
    }
  }
  if (first.size === 0) return anonymous;
  const named = [...first.values()];
  const known = await rememberEventIds(
    tx,
    named.map((event) => ({ tenantId: event.tenant_id, id: event.id ?? '' })),
  );
  return [...anonymous, ...named.filter((_, position) => !known.has(position))];
}

/** Leaves out events of tenants that were deleted after their gateways accepted them. */
async function ofPresentTenants(tx: Db, events: AcceptedEvent[]): Promise<AcceptedEvent[]> {
  const ids = new Set(events.map(({ tenant_id }) => tenant_id));
  const present = await findPresentTenants(tx, [...ids]);
  if (present.size === ids.size) return events;
  return events.filter(({ tenant_id }) => present.has(tenant_id));
}

/** Stores the events of jobs and adds them to the roll-ups, all in the given transaction. */
export async function ingest(tx: Db, jobs: readonly EventJob[]): Promise<void> {
  const joined = joinJobs(jobs);
  const all = toEvents(joined);
  const events = await withoutRepeats(tx, await ofPresentTenants(tx, all));
  if (events.length === 0) return;
  const kept = new Set(events);
  const rows = [...all.entries()].flatMap(([row, event]) => (kept.has(event) ? [row] : []));
  // They go into the table in the form in which they came.
  await storeEvents(tx, pickEvents(joined, rows));
  const { counts, visits } = rollUp(events, await findKnownRecords(tx, events));
  await addCounts(tx, counts, visits);
  const emptySearches = countEmptySearches(events);
  if (emptySearches.length > 0) await addEmptySearches(tx, emptySearches);
}
