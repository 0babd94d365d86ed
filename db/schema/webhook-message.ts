import * as v from 'valibot';
import { problemSchema } from './release.ts';
import { described } from './validation/described-as.ts';
import { codesSchema } from './validation/messages.ts';
import { changeSchema, changesSchema, entryEntries } from './version.ts';
import { TEST_EVENT, type WebhookEvent } from './webhook.ts';

const restaurant = described(v.string(), 'The slug of the restaurant.');
const version = described(v.number(), 'The version of the menu that it tells of.');
const name = described(v.string(), 'What people call it.');
const moment = (description: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(description));

const entrySchema = v.object({
  ...entryEntries,
  changes: described(
    v.nullable(changesSchema),
    'The difference; null when it is long: read it at `GET /admin/versions/{version}`.',
  ),
});

const availabilitySchema = v.object({
  ...v.pick(changeSchema, ['id', 'external_id', 'name', 'fields']).entries,
  sold_out_until: described(
    v.nullable(v.string()),
    'When it is available again without a further write; null for never.',
  ),
});

const releaseSchema = v.object({
  id: v.number(),
  name,
  starts_at: described(v.nullable(v.string()), 'When it had to be published.'),
});
/** The broken rules of each field: a message has them for programs. */
const toldProblem = v.object({ ...problemSchema.entries, errors: codesSchema });
const screenSchema = v.object({ id: v.number(), name, last_seen_at: moment('Its last contact.') });

const head = { restaurant, version };
const RESTAURANT = 'trattoria';
const AT = '2026-01-15T18:30:00.000Z';
const ENTRY = {
  ...{ version: 12, part: 0, at: AT, origin: 'api' },
  actor: { kind: 'token', id: 1, name: 'Cassa' },
  counts: { created: 0, changed: 1, deleted: 0, restored: 0 },
  job_id: '019b8e3c-5a3e-7c1a-9f00-2f6d1c7e4b11',
  confirmed_by: null,
};
const GRICIA = { id: 7, external_id: 'gricia', name: 'Gricia' };

interface Message {
  summary: string;
  /** Of `data`. */
  entries: v.ObjectEntries;
  /** Of `data`. */
  example: object;
}

const MESSAGES: Record<WebhookEvent | typeof TEST_EVENT, Message> = {
  'menu.version': {
    summary: 'The menu has a new version',
    entries: {
      ...head,
      entries: described(v.array(entrySchema), 'Who changed what.'),
    },
    example: {
      ...{ restaurant: RESTAURANT, version: 12 },
      entries: [
        {
          ...ENTRY,
          changes: [
            { resource: 'items', ...GRICIA, action: 'changed', fields: { price: [11.5, 12] } },
          ],
        },
      ],
    },
  },
  'item.availability': {
    summary: 'Dishes are sold out or available again',
    entries: {
      ...head,
      items: described(v.array(availabilitySchema), 'The dishes.'),
    },
    example: {
      ...{ restaurant: RESTAURANT, version: 12 },
      items: [{ ...GRICIA, sold_out_until: null, fields: { is_sold_out: [false, true] } }],
    },
  },
  'import.finished': {
    summary: 'A menu was imported',
    entries: {
      ...head,
      imports: described(v.array(v.object(entryEntries)), 'The imports.'),
    },
    example: { restaurant: RESTAURANT, version: 12, imports: [{ ...ENTRY, origin: 'import' }] },
  },
  'release.failed': {
    summary: 'A release did not fit the menu at its time',
    entries: {
      restaurant,
      release: described(releaseSchema, 'The release.'),
      problems: described(v.array(toldProblem), 'Why it does not fit.'),
    },
    example: {
      restaurant: RESTAURANT,
      release: { id: 3, name: 'Autunno', starts_at: AT },
      problems: [
        {
          ...{ path: 'operations.0', resource: 'items', id: 7, external_id: null },
          errors: { category_id: [{ rule: 'invalid' }] },
        },
      ],
    },
  },
  'screen.away': {
    summary: 'A screen was away for ten minutes of the opening hours',
    entries: { restaurant, screen: described(screenSchema, 'The screen.') },
    example: { restaurant: RESTAURANT, screen: { id: 2, name: 'Sala', last_seen_at: AT } },
  },
  [TEST_EVENT]: {
    summary: 'Somebody tries the webhook',
    entries: { restaurant },
    example: { restaurant: RESTAURANT },
  },
};

/** The messages that receivers get, by their events: each with its schema and an example. */
export const webhookMessages = Object.fromEntries(
  Object.entries(MESSAGES).map(([event, { summary, entries, example }]) => {
    const schema: v.GenericSchema = v.object({
      type: described(v.literal(event), 'The event.'),
      timestamp: moment('When it happened.'),
      data: described(v.object(entries), 'What happened.'),
    });
    return [event, { summary, schema, example: { type: event, timestamp: AT, data: example } }];
  }),
);
