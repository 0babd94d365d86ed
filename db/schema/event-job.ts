import { groupBy } from '../runtime/group-by.ts';

/** An accepted event on its way to the tables, with what the gateway knows beside its fields. */
export interface AcceptedEvent {
  tenant_id: number;
  /** The restaurant's calendar day, `YYYY-MM-DD`, and hour, 0 to 23, in which it occurred. */
  day: string;
  hour: number;
  /** Milliseconds since 1970. */
  occurred_at: number;
  type: string;
  item_id: number | null;
  category_id: number | null;
  allergen: string | null;
  query: string | null;
  /** How many dishes a search found. */
  results: number | null;
  locale: string | null;
  /** 64 bits in decimal: more than a JSON number holds. */
  visitor: string;
  /** The client's own id of the event. */
  id: string | null;
}

/**
 * The payload of `queues.analyticsEvents`: many events as one list a field. That is a third of the
 * bytes that as many objects take in a job, and the form in which Postgres takes them as parameters.
 */
export type EventJob = { [Field in keyof AcceptedEvent]: AcceptedEvent[Field][] };

/** Each field with the type of its column in Postgres. */
export const eventTypes = {
  tenant_id: 'int4',
  day: 'date',
  hour: 'int2',
  occurred_at: 'float8',
  type: 'text',
  item_id: 'int4',
  category_id: 'int4',
  allergen: 'text',
  query: 'text',
  results: 'int4',
  locale: 'text',
  visitor: 'int8',
  id: 'text',
} as const satisfies Record<keyof AcceptedEvent, string>;

const FIELDS = Object.keys(eventTypes) as (keyof AcceptedEvent)[];

/** Turns events into columns; the order stays. */
export function toEventColumns(events: readonly AcceptedEvent[]): EventJob {
  const columns: Record<string, unknown[]> = {};
  for (const field of FIELDS) columns[field] = events.map((event) => event[field]);
  return columns as EventJob;
}

/**
 * Turns the columns of several jobs back into events, one job's after the other's. A field that a job
 * lacks is null: gateways of a former release did not know it.
 */
export function toEvents(batches: readonly EventJob[]): AcceptedEvent[] {
  return batches.flatMap((columns) =>
    columns.tenant_id.map((_, row) => {
      const event: Record<string, unknown> = {};
      for (const field of FIELDS) event[field] = columns[field]?.[row] ?? null;
      return event as unknown as AcceptedEvent;
    }),
  );
}

/** The events of each tenant as a job of its own; the order of each tenant's events stays. */
export function splitByTenant(job: EventJob): EventJob[] {
  const byTenant = groupBy(toEvents([job]), ({ tenant_id }) => tenant_id);
  return [...byTenant.values()].map(toEventColumns);
}
