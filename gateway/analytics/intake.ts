import { type Constants, constants } from '../../db/runtime/constants.ts';
import { successBody } from '../../db/schema/envelope.ts';
import { createEventSchema, type Event } from '../../db/schema/event.ts';
import type { AcceptedEvent } from '../../db/sql/analytics/event-columns.ts';
import { type Answer, errorAnswer, jsonAnswer } from '../http/answer.ts';
import { parseJsonBody } from '../http/json-body.ts';
import type { EventBudgets } from '../limits/event-budgets.ts';
import type { CallContext, CallRoute } from '../pipeline/route.ts';
import type { EventWriter } from './event-writer.ts';
import { localTime } from './local-time.ts';
import { readEvents } from './read-events.ts';
import { createTurns, type Turns } from './turns.ts';
import { hashVisitor, type Visitors } from './visitors.ts';

export interface IntakeOptions {
  writer: EventWriter;
  visitors: Visitors;
  budgets: EventBudgets;
  /** Called for each request that is refused because the restaurant has spent its budget. */
  onRefusal: () => void;
  /** Milliseconds since 1970. */
  now: () => number;
  constants: Pick<Constants, 'eventPatience'>;
}

const SECOND = 1_000;

/** An event with the restaurant's day and hour of its moment. */
interface Placed {
  event: Event;
  time: number;
  day: string;
  hour: number;
}

/** What tells the visitors of a request apart that gives no ids of its own. */
function anonymousIdentity({ client, headers }: CallContext): string {
  return `address ${client} ${headers.get('user-agent') ?? ''}`;
}

function accept(placed: Placed, tenantId: number, visitor: string): AcceptedEvent {
  const { event, time, day, hour } = placed;
  return {
    tenant_id: tenantId,
    day,
    hour,
    occurred_at: time,
    type: event.type,
    item_id: event.item_id ?? null,
    category_id: event.category_id ?? null,
    allergen: event.allergen ?? null,
    query: event.query ?? null,
    locale: event.locale ?? null,
    visitor,
    id: event.id ?? null,
  };
}

/** @param until and `now` in ms since 1970 */
function tooManyEvents(until: number, now: number): Answer {
  return errorAnswer('429 Too Many Requests', 'Too Many Attempts.', {
    'Retry-After': String(Math.ceil((until - now) / SECOND)),
    'X-RateLimit-Reset': String(until / SECOND),
  });
}

/** Hashes the visitors, each once a day; many, a slice at a time. */
async function acceptAll(
  context: CallContext,
  placed: readonly Placed[],
  visitors: Visitors,
  turn: Turns,
): Promise<AcceptedEvent[]> {
  const { tenant } = context;
  const salts = await visitors.salts(tenant.id, new Set(placed.map(({ day }) => day)));
  const anonymous = anonymousIdentity(context);
  const hashes = new Map<string, string>();
  const accepted: AcceptedEvent[] = [];
  for (const [index, one] of placed.entries()) {
    if (index > 0 && index % constants.eventsPerSlice === 0) await turn();
    const { visitor_id } = one.event;
    const identity = visitor_id ? `id ${visitor_id}` : anonymous;
    const key = `${one.day} ${identity}`;
    const hash = hashes.get(key) ?? hashVisitor(salts.get(one.day) as Buffer, identity);
    hashes.set(key, hash);
    accepted.push(accept(one, tenant.id, hash));
  }
  return accepted;
}

/**
 * `POST /analytics/events` (SPEC, "Analytics events intake"): 202 when the events are committed to
 * the queue, or 429 until the next day (UTC) when the restaurant has fewer left of its EVENTS_PER_DAY.
 * Without `occurred_at` an event occurs now.
 */
export function createIntakeRoute(options: IntakeOptions): CallRoute {
  const { writer, visitors, budgets, onRefusal, now, constants } = options;
  const schema = createEventSchema(now);
  const turn = createTurns();
  const refuse = (): Answer => {
    onRefusal();
    return tooManyEvents(budgets.nextDay(), now());
  };
  return {
    kind: 'call',
    method: 'POST',
    path: '/analytics/events',
    call: async (context) => {
      const { tenant } = context;
      if (budgets.isSpent(tenant.id)) return refuse();
      const bytes = await context.body;
      await turn();
      const body = parseJsonBody(context.headers, bytes, true);
      const events = await readEvents(body, schema, turn);
      const placed = events.map((event) => {
        const time = event.occurred_at ?? now();
        return { event, time, ...localTime(tenant.timezone, time) };
      });
      const began = performance.now();
      if (!(await budgets.take(tenant.id, events.length))) return refuse();
      const accepted = await acceptAll(context, placed, visitors, turn);
      await writer.write(accepted, constants.eventPatience - (performance.now() - began));
      return jsonAnswer('202 Accepted', successBody({ accepted: events.length }));
    },
  };
}
