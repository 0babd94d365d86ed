import { countEmptySearches, rollUp } from '../../db/events/roll-up.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type AcceptedEvent, type EventJob, toEvents } from '../../db/schema/event-job.ts';
import { addCounts } from '../../db/sql/counts.ts';
import { addEmptySearches } from '../../db/sql/empty-searches.ts';
import { findKnownRecords, rememberEventIds, storeEvents } from '../../db/sql/events.ts';
import { findPresentTenants } from '../../db/sql/tenants.ts';

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
  const events = await withoutRepeats(tx, await ofPresentTenants(tx, toEvents(jobs)));
  if (events.length === 0) return;
  await storeEvents(tx, events);
  const { counts, visits } = rollUp(events, await findKnownRecords(tx, events));
  await addCounts(tx, counts, visits);
  const emptySearches = countEmptySearches(events);
  if (emptySearches.length > 0) await addEmptySearches(tx, emptySearches);
}
