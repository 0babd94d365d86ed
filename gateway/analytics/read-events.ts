import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import type { createEventSchema, Event } from '../../db/schema/event.ts';
import {
  createIgnoredFields,
  errorsOf,
  knownFields,
} from '../../db/schema/validation/check-input.ts';
import type { ParsedBody } from '../../db/schema/validation/parse-json.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { isObject } from '../../db/schema/values/row.ts';
import { InvalidError } from '../http/errors.ts';

type EventSchema = ReturnType<typeof createEventSchema>;

/** The events of a body, with what precedes a field's name in its errors. */
interface Given {
  events: readonly unknown[];
  prefix: (index: number) => string;
}

/** The events of a body, checked. */
interface ReadEvents {
  events: Event[];
  /** Paths of fields that were sent and have no meaning here. */
  ignored: readonly string[];
}

function fail(field: string, rule: Broken): never {
  throw new InvalidError({ [field]: [rule] });
}

function unwrap(body: unknown): Given {
  const list = isObject(body) && 'events' in body ? body.events : body;
  if (Array.isArray(list)) {
    if (list.length === 0) fail('events', broken('required'));
    if (list.length > constants.maxEventsPerRequest) {
      fail('events', broken('maxItems', { max: constants.maxEventsPerRequest }));
    }
    return { events: list, prefix: (index) => `events.${index}` };
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
export async function readEvents(
  body: ParsedBody,
  schema: EventSchema,
  turn: Turns,
): Promise<ReadEvents> {
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
  if (Object.keys(errors).length > 0) throw new InvalidError(errors);
  return { events: read, ignored: ignored.paths() };
}

/** Resolves when it is the caller's turn to work for a moment. */
export type Turns = () => Promise<void>;

/**
 * Lets those who have work that can wait go one after the other, one in each turn of the event loop:
 * however many batches of events there are, a menu is answered between two slices of them.
 */
export function createTurns(): Turns {
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
