import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { DAY, isDay } from '../runtime/day.ts';
import { groupBy } from '../runtime/group-by.ts';
import { keysOf } from '../runtime/keys.ts';
import { allergens } from './dictionary.ts';
import { isoSeconds, MOMENT } from './validation/date-fields.ts';
import { described, describedAs } from './validation/described-as.ts';
import { integer, languageRule } from './validation/input-fields.ts';
import { oneOfRule, rule } from './validation/rule.ts';
import { safeLines } from './validation/safe-text.ts';
import { ALL_LOCALES } from './values/locale.ts';

/** How far a display’s clock may be ahead, in ms. */
const MAX_CLOCK_LEAD = 5 * 60_000;

/** Longest id of an event or of its visitor, in characters. */
const MAX_EVENT_ID_LENGTH = 100;

/** The events that a display can send (DESIGN, "event types"). */
export const EVENT_TYPES = [
  'menu_view',
  'section_view',
  'item_view',
  'search',
  'allergen_filter',
  'locale_change',
  'review_click',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The field without which an event of the type says nothing. */
const SUBJECTS: Partial<Record<EventType, keyof Event>> = {
  section_view: 'category_id',
  item_view: 'item_id',
  search: 'query',
  allergen_filter: 'allergen',
  locale_change: 'locale',
};

const NEEDS = Object.entries(SUBJECTS)
  .map(([type, field]) => `\`${type}\` needs \`${field}\``)
  .join(', ');

function text(maxLength: number) {
  return v.nullish(
    v.pipe(
      v.string('string'),
      v.maxCodePoints(maxLength, rule('maxLength', { max: maxLength })),
      safeLines,
    ),
  );
}

const recordId = v.nullish(integer(1));

const ISO_8601 = rule('dateFormat', { format: 'ISO 8601' });

const MINUTE = 60_000;
const NEAR =
  `ISO 8601 with an offset, at most ${constants.maxEventAge / DAY} days ago and ` +
  `${MAX_CLOCK_LEAD / MINUTE} minutes ahead of our clock; when it arrives by default.`;

/** An ISO 8601 time with an offset, near enough to `now()`; becomes milliseconds since 1970. */
function momentNear(now: () => number) {
  const earliest = () => now() - constants.maxEventAge;
  const latest = () => now() + MAX_CLOCK_LEAD;
  return v.nullish(
    v.pipe(
      v.string('string'),
      v.regex(MOMENT, ISO_8601),
      v.check((time) => isDay(time.slice(0, 'YYYY-MM-DD'.length)), ISO_8601),
      describedAs({ description: NEAR }),
      v.transform(Date.parse),
      v.number(ISO_8601),
      // Seconds are enough to say which bound was passed.
      v.check(
        (time) => time >= earliest(),
        () => rule('notBefore', { date: isoSeconds(earliest()) }),
      ),
      v.check(
        (time) => time <= latest(),
        () => rule('notAfter', { date: isoSeconds(latest()) }),
      ),
    ),
  );
}

function eventFields(now: () => number) {
  return v.object(
    {
      type: described(v.picklist(EVENT_TYPES, oneOfRule(EVENT_TYPES)), 'What the guest did.'),
      item_id: described(recordId, 'The dish.'),
      category_id: described(recordId, 'The section that the guest looked at.'),
      allergen: described(
        v.nullish(v.picklist(allergens.keys, oneOfRule(allergens.keys))),
        'The allergen that was filtered out.',
      ),
      query: described(text(constants.maxSearchLength), 'What the guest searched for.'),
      results: described(
        v.nullish(integer(0)),
        'How many dishes the search found, whatever allergens were filtered out. With 0 the ' +
          'text is in the report of searches; without it nothing is said.',
      ),
      locale: described(
        v.nullish(v.picklist(ALL_LOCALES, languageRule)),
        'The language that the guest reads.',
      ),
      visitor_id: described(
        text(MAX_EVENT_ID_LENGTH),
        'Tells the guests of one address apart; only a hash of it is stored.',
      ),
      occurred_at: described(momentNear(now), 'When it happened; now by default.'),
      id: described(
        text(MAX_EVENT_ID_LENGTH),
        'Makes a repetition harmless: an event counts once.',
      ),
    },
    // The library reports a missing field as the object's issue.
    ({ input }) => (input === undefined ? 'required' : 'object'),
  );
}
export type Event = v.InferOutput<ReturnType<typeof eventFields>>;

/**
 * One event as clients send it (DESIGN, "event body"), its strings trimmed and blank ones null; the
 * messages of its issues are codes that `explain` turns into Italian.
 *
 * @param now milliseconds since 1970
 */
export function createEventSchema(now: () => number) {
  return v.pipe(
    eventFields(now),
    describedAs({ description: `${NEEDS}.` }),
    v.rawCheck(({ dataset, addIssue }) => {
      const event = dataset.value as Partial<Event> | null;
      const subject = event?.type && SUBJECTS[event.type];
      if (!subject || (event[subject] ?? null) !== null) return;
      // A field that is there and wrong has its own issue.
      if (dataset.issues?.some((issue) => issue.path?.[0]?.key === subject)) return;
      addIssue({
        message: 'required',
        path: [{ type: 'object', origin: 'value', input: event, key: subject, value: undefined }],
      });
    }),
  );
}

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

const FIELDS = keysOf(eventTypes);

/** The columns that `of` gives for their names. */
function columnsBy(of: (field: keyof AcceptedEvent) => unknown[]): EventJob {
  return Object.fromEntries(FIELDS.map((field) => [field, of(field)])) as EventJob;
}

/** Turns events into columns; the order stays. */
export function toEventColumns(events: readonly AcceptedEvent[]): EventJob {
  return columnsBy((field) => events.map((event) => event[field]));
}

/**
 * The columns of several jobs as those of one, one job's events after the other's. A field that a job
 * lacks is null: gateways of a former release did not know it.
 */
export function joinJobs(jobs: readonly Partial<EventJob>[]): EventJob {
  const lengths = jobs.map(({ tenant_id = [] }) => tenant_id.length);
  return columnsBy((field) =>
    jobs.flatMap((job, at) => job[field] ?? new Array(lengths[at]).fill(null)),
  );
}

/** The events of some rows of a job, still as columns. */
export function pickEvents(job: EventJob, rows: readonly number[]): EventJob {
  return columnsBy((field) => rows.map((row) => job[field][row]));
}

/** The events of a job one by one, to be looked at. */
export function toEvents(job: EventJob): AcceptedEvent[] {
  return job.tenant_id.map((_, row) => {
    const event: Record<string, unknown> = {};
    for (const field of FIELDS) event[field] = job[field][row];
    return event as unknown as AcceptedEvent;
  });
}

/** The events of each tenant as a job of its own; the order of each tenant's events stays. */
export function splitByTenant(given: EventJob): EventJob[] {
  const job = joinJobs([given]);
  const { tenant_id: tenants } = job;
  const rows = groupBy([...tenants.keys()], (row) => tenants[row]);
  return [...rows.values()].map((own) => pickEvents(job, own));
}
