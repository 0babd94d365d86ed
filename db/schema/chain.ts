import * as v from 'valibot';
import { memoize } from '../runtime/memoize.ts';
import type { Field } from './field.ts';
import type { RecordType } from './record.ts';
import { nullableInstant } from './validation/date-fields.ts';
import { described } from './validation/described-as.ts';
import { flagInput, requiredTextInput } from './validation/input-fields.ts';
import { fieldErrorsSchema } from './validation/rule.ts';
import { type Resource, resourceSchema } from './values/resource.ts';

// A chain: a restaurant, the master, and others, its branches, whose records follow the master's.

/** Fields of settings that say which house it is: no branch takes them from its master. */
const OF_THE_HOUSE: ReadonlySet<string> = new Set([
  ...['name', 'business_name', 'vat_number', 'address', 'phone', 'email', 'map_url', 'review_url'],
  ...['opening_hours', 'closures', 'special_hours', 'timezone', 'is_active', 'embed_origins'],
  ...['default_locale', 'fallback_locale', 'supported_locales', 'currency'],
  ...['country', 'region', 'prices_exclude_tax'],
]);

/** The fields of a record that follow the master's. Each house knows best which dishes are sold out. */
export const followedFields = memoize(({ resource, fields }: RecordType): readonly string[] =>
  Object.entries<Field>(fields).flatMap(([name, { input, options }]) => {
    const isOfHouse = resource === 'settings' && OF_THE_HOUSE.has(name);
    const isLeft = isOfHouse || name === 'external_id' || options.isAvailability;
    return input === null || isLeft ? [] : [name];
  }),
);

/** Whether a field holds prices, itself or in a list. */
export function holdsPrices({ kind, parts = {} }: Field): boolean {
  return kind === 'price' || Object.values(parts).some(holdsPrices);
}

/** The field under which a branch's record is its own that the branch has deleted. */
export const DELETED = 'deleted_at';

/** When a field became a branch's own. */
interface OwnMark {
  version: number;
  at: string;
  /** The version of the master's menu that the branch had taken; builds before this one kept none. */
  taken?: number | null;
}

/** A record of a branch that follows one of its master's. */
export interface Follow {
  resource: Resource;
  id: number;
  master_id: number;
  /** The fields that are the branch's own. */
  own_fields: Readonly<Record<string, OwnMark>>;
}

/** Names a record of a restaurant. */
export function recordKey(resource: Resource, id: number): string {
  return `${resource}/${id}`;
}

const count = (description: string) => described(v.number(), description);
const name = described(v.nullable(v.string()), 'Its name; null for a theme.');

/** A field that stays a branch's own, although the master has another value. */
export const shadowedSchema = v.object({
  resource: described(resourceSchema, 'The kind of the record.'),
  id: described(v.number(), 'The branch’s record.'),
  name,
  field: described(
    v.string(),
    'The field; `deleted_at` for a record that one of the two has deleted.',
  ),
  own: described(v.unknown(), 'The branch’s value.'),
  master: described(v.unknown(), 'The master’s value.'),
});
export type Shadowed = v.InferOutput<typeof shadowedSchema>;

/** A record that a branch cannot take. */
export const refusedSchema = v.object({
  resource: v.nullable(resourceSchema),
  /** The master's record; null for the menu as a whole. */
  id: v.nullable(v.number()),
  name: v.nullable(v.string()),
  errors: fieldErrorsSchema,
});
export type Refused = v.InferOutput<typeof refusedSchema>;

/** How many records of a branch came to what. */
export const publicationCountsSchema = v.object({
  created: count('Records that are new.'),
  updated: count('Records that have other values.'),
  unchanged: count('Records that stay as they are.'),
  deleted: count('Records that are gone.'),
  failed: count('Records that the branch cannot take.'),
});

/** The result of a publication in a branch. */
export const publishedOutcomeSchema = v.object({
  kind: v.literal('published'),
  applied: v.boolean(),
  dry_run: v.boolean(),
  counts: publicationCountsSchema,
  shadowed: v.array(shadowedSchema),
  refused: v.array(refusedSchema),
  /** How many shadowed fields and refused records are not listed. */
  left_out: v.number(),
});
export type PublishedOutcome = v.InferOutput<typeof publishedOutcomeSchema>;

/** The body of a request to publish. */
export const publishInput = v.object({
  dry_run: described(
    v.optional(flagInput(), false),
    'Whether the answer only says what would happen.',
  ),
  branches: described(
    v.optional(v.nullable(v.array(requiredTextInput(63), 'array')), null),
    'The slugs of the branches; all of them without it.',
  ),
  starts_at: described(
    v.optional(nullableInstant(), null),
    'When a release of the master publishes it; null for now.',
  ),
});
export type PublishInput = v.InferOutput<typeof publishInput>;

/** Who publishes: a person or a token of the master, or its clock. */
export const publisherSchema = v.object({
  kind: v.picklist(['token', 'user', 'clock']),
  name: v.nullable(v.string()),
});
export type Publisher = v.InferOutput<typeof publisherSchema>;

/** The body of a request that gives fields back to the master. */
export const giveBackInput = v.object({
  fields: described(
    v.optional(v.nullable(v.array(requiredTextInput(64), 'array')), null),
    'The fields to give back; all own ones without it.',
  ),
});

export const MATCHES = ['external_id', 'name'] as const;
/** How the records of a new branch find those of the master. */
export type Match = (typeof MATCHES)[number];
