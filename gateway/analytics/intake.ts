import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import * as v from 'valibot';
import type { Database } from '../../db/postgres/connection.ts';
import { type Constants, constants, constants as fixed } from '../../db/runtime/constants.ts';
import { dayOf } from '../../db/runtime/day.ts';
import { type AcceptedEvent, createEventSchema, type Event } from '../../db/schema/event.ts';
import {
  createIgnoredFields,
  errorsOf,
  knownFields,
} from '../../db/schema/validation/check-input.ts';
import { refuse } from '../../db/schema/validation/invalid-error.ts';
import type { ParsedBody } from '../../db/schema/validation/parse-json.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { isObject } from '../../db/schema/values/row.ts';
import type { ClientNetwork } from '../http/client-address.ts';
import { InvalidError } from '../http/errors.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { createEventBudgets, createEventShares, nextBudgets } from '../limits/event-budgets.ts';
import type { CallContext } from '../pipeline/route.ts';
import type { Tenant } from '../snapshots/loaded-snapshot.ts';
import { createEventWriter } from './event-writer.ts';
import { localTime } from './local-time.ts';
import { createVisitors, hashVisitor, type Visitors } from './visitors.ts';

type EventSchema = ReturnType<typeof createEventSchema>;

function fail(field: string, rule: Broken): never {
  throw new InvalidError({ [field]: [rule] });
}

/** The events of a body, with what precedes a field's name in its errors. */
function unwrap(body: unknown) {
  const list = isObject(body) && 'events' in body ? body.events : body;
  if (Array.isArray(list)) {
    if (list.length === 0) fail('events', broken('required'));
    if (list.length > constants.maxEventsPerRequest) {
      fail('events', broken('maxItems', { max: constants.maxEventsPerRequest }));
    }
    return { events: list, prefix: (index: number) => `events.${index}` };
  }
  if (list !== body) fail('events', broken('array'));
  return { events: [isObject(body) ? body : {}], prefix: () => '' };
}

/**
 * The events of a body: one, a list, or a wrapper `{"events": […]}` (DESIGN, "event body"). Fields that
 * have no meaning are ignored, and named. Many events are checked a slice at a time, so that other
 * requests are answered in between.
 *
 * @throws InvalidError which names every field that breaks a rule, as `events.3.type` in a list
 */
async function readEvents(body: ParsedBody, schema: EventSchema, turn: Turns) {
  const { events, prefix } = unwrap(body.value);
  const fields = Object.keys(schema.pipe[0].entries);
  const read: Event[] = [];
  const errors: FieldErrors = { ...body.errors };
  const ignored = createIgnoredFields();
  if (isObject(body.value) && 'events' in body.value) ignored.note(body.value, ['events']);
  for (const [index, given] of events.entries()) {
    if (index > 0 && index % constants.eventsPerSlice === 0) await turn();
    const event = isObject(given) ? knownFields(fields, given) : given;
    if (isObject(given)) ignored.note(given, fields, prefix(index));
    const result = v.safeParse(schema, event, { abortPipeEarly: true });
    if (result.success) read.push(result.output);
    else Object.assign(errors, errorsOf(result.issues, prefix(index)));
  }
  refuse(errors);
  return { events: read, ignored: ignored.paths() };
}

/** Resolves when it is the caller's turn to work for a moment. */
type Turns = () => Promise<void>;

/**
 * Lets those who have work that can wait go one after the other, one in each turn of the event loop:
 * however many batches of events there are, a menu is answered between two slices of them.
 */
function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

interface IntakeOptions {
  /** Started. */
  boss: PgBoss;
  db: Database;
  /** Events that one restaurant may store on one day. */
  eventsPerDay: number;
  /** Milliseconds since 1970. */
  now: () => number;
  constants: Constants;
}

function addressIdentity(client: ClientNetwork): string {
  return `address ${client}`;
}

/**
 * An event as the tables have it, but for its visitor, who is hashed when its restaurant may store it.
 *
 * @param arrived milliseconds since 1970: when it occurred, if it does not say so
 */
function accept(event: Event, { id, timezone }: Tenant, arrived: number): AcceptedEvent {
  const time = event.occurred_at ?? arrived;
  return {
    tenant_id: id,
    ...localTime(timezone, time),
    occurred_at: time,
    type: event.type,
    item_id: event.item_id ?? null,
    category_id: event.category_id ?? null,
    allergen: event.allergen ?? null,
    query: event.query ?? null,
    results: event.results ?? null,
    locale: event.locale ?? null,
    visitor: '',
    id: event.id ?? null,
  };
}

interface Naming {
  visitors: Visitors;
  bound: VisitorBound;
  /** The day on which the events arrive. */
  today: string;
  turn: Turns;
}

/**
 * Names the visitors of events by hashes, each once a day; many, a slice at a time. Those that the
 * client may not be any more are one visitor: the client itself.
 */
async function nameVisitors(
  context: CallContext,
  events: readonly Event[],
  accepted: readonly AcceptedEvent[],
  { visitors, bound, today, turn }: Naming,
): Promise<void> {
  const { tenant, client, headers } = context;
  const salts = await visitors.salts(tenant.id, new Set(accepted.map(({ day }) => day)));
  // For requests without ids of their own.
  const anonymous = `${addressIdentity(client)} ${headers.get('user-agent') ?? ''}`;
  const hashOf = (day: string, identity: string) => {
    const salt = salts.get(day) as Buffer;
    const hash = hashVisitor(salt, identity);
    if (bound.admits(`${tenant.id} ${client}`, today, hash)) return hash;
    return hashVisitor(salt, addressIdentity(client));
  };
  const hashes = new Map<string, string>();
  for (const [index, one] of accepted.entries()) {
    if (index > 0 && index % fixed.eventsPerSlice === 0) await turn();
    const named = events[index]?.visitor_id;
    const identity = named ? `id ${named}` : anonymous;
    const key = `${one.day} ${identity}`;
    one.visitor = hashes.get(key) ?? hashOf(one.day, identity);
    hashes.set(key, one.visitor);
  }
}

/** The events of a request, or when the restaurant may store some again, in ms since 1970. */
type Taken = { accepted: number; ignored: readonly string[] } | { refusedUntil: number };

export type Intake = ReturnType<typeof createIntake>;

/** Takes events in, as far as the queue. */
export function createIntake({ boss, db, eventsPerDay, now, constants }: IntakeOptions) {
  const writer = createEventWriter(boss, constants);
  const visitors = createVisitors(db, now, constants);
  const common = { db, perDay: eventsPerDay, now, constants };
  const budgets = createEventBudgets(common);
  const shares = createEventShares({
    ...common,
    hashOf: async ({ tenantId, address }, day) => {
      const salts = await visitors.salts(tenantId, [day]);
      return hashVisitor(salts.get(day) as Buffer, addressIdentity(address));
    },
  });
  const bound = createVisitorBound(constants);
  const schema = createEventSchema(now);
  const turn = createTurns();
  let refused = 0;
  const refuse = (): Taken => {
    refused += 1;
    return { refusedUntil: nextBudgets(now()) };
  };
  return {
    /**
     * Resolves when the events of a request are committed to the queue, or refused because the
     * restaurant has fewer left of its EVENTS_PER_DAY, or the client fewer of its share.
     * Without `occurred_at` an event occurs now.
     *
     * @throws InvalidError, UnsupportedTypeError, UnavailableError
     */
    take: async (context: CallContext): Promise<Taken> => {
      const { tenant } = context;
      const owner = { tenantId: tenant.id, address: context.client };
      if (budgets.isSpent(owner) || shares.isSpent(owner)) return refuse();
      const bytes = await context.body;
      await turn();
      const body = parseJsonBody(context.headers, bytes, true);
      const { events, ignored } = await readEvents(body, schema, turn);
      const accepted = events.map((event) => accept(event, tenant, now()));
      const began = performance.now();
      const count = events.length;
      const isGranted = (await shares.take(owner, count)) && (await budgets.take(owner, count));
      if (!isGranted) return refuse();
      const naming = { visitors, bound, today: dayOf(now()), turn };
      await nameVisitors(context, events, accepted, naming);
      await writer.write(accepted, constants.eventTimeout - (performance.now() - began));
      return { accepted: events.length, ignored };
    },
    /** `refused`: requests whose restaurant or client had spent its part of EVENTS_PER_DAY. */
    stats: () => ({ ...writer.stats(), refused }),
    stop: writer.stop,
  };
}

/** The visitors that a client was on a day, and other clients' likewise. */
type VisitorBound = ReturnType<typeof createVisitorBound>;

/**
 * Anybody may send events under any number of visitors' ids. So a client, behind which hundreds of
 * phones may be, is a bounded number of visitors, whatever days its events name. When more visitors
 * are remembered than memory allows, the clients are forgotten that were silent longest.
 */
function createVisitorBound({
  maxVisitorsPerClient,
  maxRememberedVisitors,
}: Pick<Constants, 'maxVisitorsPerClient' | 'maxRememberedVisitors'>) {
  const clients = new LRUCache<string, { day: string; visitors: Set<string> }>({
    maxSize: maxRememberedVisitors,
  });
  return {
    /**
     * Whether events of the client may count for this visitor: it is one of the first
     * `maxVisitorsPerClient` of the day.
     *
     * @param client of a restaurant
     * @param day on which the events arrived, `YYYY-MM-DD`
     * @param visitor a hash, which differs from day to day
     */
    admits: (client: string, day: string, visitor: string) => {
      const held = clients.get(client);
      const visitors = held?.day === day ? held.visitors : new Set<string>();
      if (visitors.has(visitor)) return true;
      if (visitors.size >= maxVisitorsPerClient) return false;
      visitors.add(visitor);
      // A new object: the cache takes the size of one that it holds already from its first time.
      clients.set(client, { day, visitors }, { size: visitors.size });
      return true;
    },
  };
}
