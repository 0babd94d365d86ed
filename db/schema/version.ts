import * as v from 'valibot';
import { IMPORT_FORMATS } from './exchange-report.ts';
import { counted, described } from './validation/described-as.ts';
import { resourceSchema } from './values/resource.ts';

/** The author of a change: a token, a user of the panel, an operator, or the clock. */
export const actorSchema = v.object({
  kind: described(
    v.picklist(['token', 'user', 'operator', 'clock']),
    'A token of the API, a user of the panel, an operator, or the clock.',
  ),
  id: described(v.nullable(v.number()), 'Of the token or the user.'),
  name: described(
    v.nullable(v.string()),
    'The name of the token or the user, as it was at that time.',
  ),
});
export type Actor = v.InferOutput<typeof actorSchema>;

export const originSchema = v.picklist([
  'api',
  'panel',
  'bulk',
  'import',
  'undo',
  'restore',
  'release',
  'clock',
  'cli',
  'mcp',
  'chain',
  ...IMPORT_FORMATS,
]);
/** The way by which a change came; an import from a service is named for its format. */
export type Origin = v.InferOutput<typeof originSchema>;

export const changeActionSchema = v.picklist(['created', 'changed', 'deleted', 'restored']);
export type ChangeAction = v.InferOutput<typeof changeActionSchema>;

/** The difference of one record between two versions. */
export const changeSchema = v.object({
  resource: resourceSchema,
  id: described(v.number(), 'Its id; of settings and theme the restaurant’s.'),
  external_id: v.nullable(v.string()),
  name: described(
    v.nullable(v.string()),
    'Its name in the restaurant’s own language; a theme has none.',
  ),
  action: described(changeActionSchema, 'What became of it.'),
  fields: described(
    v.record(v.string(), v.pipe(v.array(v.unknown()), v.length(2))),
    'Each field that differs, with its value before and after. A record that is new or gone is whole; ' +
      'fields that are null are left out.',
  ),
});
export type Change = v.InferOutput<typeof changeSchema>;

/** The properties of an entry of the journal, but for its difference. */
export const entryEntries = {
  version: counted('The version of the menu.'),
  part: counted('Which of the writes that share the version, from 0.'),
  at: v.pipe(v.string(), v.isoTimestamp(), v.description('When the menu came into this version.')),
  actor: described(actorSchema, 'Who changed it.'),
  origin: described(originSchema, 'The way by which the change came.'),
  counts: described(
    v.object({
      created: counted('Records that are new.'),
      changed: counted('Records that have other values.'),
      deleted: counted('Records that were deleted.'),
      restored: counted('Records that came back.'),
    }),
    'How many records differ from the version before.',
  ),
  job_id: described(v.nullable(v.string()), 'The write, where it was one.'),
  confirmed_by: described(
    v.nullable(v.string()),
    'The person who has checked the allergens that an assistant changed.',
  ),
};

export const changesSchema = described(
  v.array(changeSchema),
  'The difference, each record after those that it names.',
);

/** How many records a difference has of each kind. */
type ChangeCounts = Record<ChangeAction, number>;

export function countChanges(changes: readonly Change[]): ChangeCounts {
  const counts = { created: 0, changed: 0, deleted: 0, restored: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

/** An entry of the journal that is to be written: the part that one write has in a version. */
export interface NewEntry {
  /** The name is said where it is that of another restaurant's token or user. */
  actor: Pick<Actor, 'kind' | 'id'> & Partial<Pick<Actor, 'name'>>;
  origin: Origin;
  /** The write, where it was one. */
  jobId: string | null;
  /** The person who has checked its allergens. */
  confirmedBy?: string | null;
  /** Null where nothing is known of the menu before. */
  changes: readonly Change[] | null;
}

/** The entry of a version that Lavagna itself or an operator makes without changing the menu. */
export const UPKEEP: NewEntry = {
  actor: { kind: 'operator', id: null },
  origin: 'cli',
  jobId: null,
  changes: [],
};
