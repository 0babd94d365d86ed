import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { operationSchema } from './bulk.ts';
import { scheduledSchema } from './scheduled-publication.ts';
import { isoDate, isoSeconds, nullableInstant } from './validation/date-fields.ts';
import { described } from './validation/described-as.ts';
import { flagInput, requiredTextInput } from './validation/input-fields.ts';
import { broken, type FieldErrors, fieldErrorsSchema, rule } from './validation/rule.ts';
import { resourceSchema } from './values/resource.ts';

/** A release is `live` from its publication on, and `ended` when its end has taken it back. */
const RELEASE_STATES = ['draft', 'scheduled', 'live', 'ended', 'failed'] as const;
export const releaseStateSchema = v.picklist(RELEASE_STATES);

const { maxReleaseOperations: max } = constants;

const fields = {
  name: described(requiredTextInput(100), 'What people call it.'),
  operations: v.pipe(
    v.array(operationSchema, 'array'),
    v.metadata({ listed: operationSchema.entries, describedAs: {} }),
    v.maxLength(max, rule('maxItems', { max })),
    v.description('What it does, as `POST /admin/bulk` takes operations.'),
  ),
  starts_at: described(
    nullableInstant(),
    'When it is published; null for a release that waits for somebody.',
  ),
  ends_at: described(nullableInstant(), 'When it is taken back; null for never.'),
  is_preview_open: described(
    flagInput(),
    'Whether everybody with its link sees a preview. Another link each time.',
  ),
  confirmed_by: described(
    v.nullable(requiredTextInput(100)),
    'The person who has checked the allergens that it changes; the history names them. Other ' +
      'operations need another confirmation.',
  ),
};

/** The body that makes a release. */
export const releaseInput = v.object({
  name: fields.name,
  operations: v.optional(fields.operations, []),
  starts_at: v.optional(fields.starts_at, null),
  ends_at: v.optional(fields.ends_at, null),
  is_preview_open: v.optional(fields.is_preview_open, true),
  confirmed_by: v.optional(fields.confirmed_by, null),
});
/** The body that changes one. */
export const releaseChange = v.partial(v.object(fields));
export type NewRelease = v.InferOutput<typeof releaseInput>;
export type ReleaseChange = Partial<NewRelease>;

/** A record or an operation of a release that does not fit. */
export const problemSchema = v.object({
  path: described(v.string(), 'Of the operation; empty for the menu as a whole.'),
  resource: v.nullable(resourceSchema),
  id: described(v.nullable(v.number()), 'Of the record, where it is there.'),
  external_id: v.nullable(v.string()),
  errors: fieldErrorsSchema,
});
export type Problem = v.InferOutput<typeof problemSchema>;

/** A release as it is stored. Gateways have checked the operations, and workers write the problems. */
export const releaseRow = v.object({
  id: v.number(),
  name: v.string(),
  operations: v.custom<NewRelease['operations']>(Array.isArray),
  starts_at: v.nullable(v.string()),
  ends_at: v.nullable(v.string()),
  state: releaseStateSchema,
  problems: v.custom<Problem[]>(Array.isArray),
  secret: v.nullable(v.string()),
  published_by: v.nullable(v.string()),
  confirmed_by: v.nullable(v.string()),
  /** The publication to branches that it is, too; null for none. */
  chain: v.nullable(scheduledSchema),
  created_at: isoDate,
  updated_at: isoDate,
});
export type Release = v.InferOutput<typeof releaseRow>;

/** Releases that are yet to be published. */
export function isWaiting({ state }: Pick<Release, 'state'>): boolean {
  return state === 'draft' || state === 'scheduled';
}

type Timed = Pick<Release, 'starts_at' | 'ends_at'>;

/** The errors of moments that are changed: they are to come, and in their order. */
export function momentErrors(after: Timed, before: Timed | null, now: number): FieldErrors {
  const errors: FieldErrors = {};
  for (const name of ['starts_at', 'ends_at'] as const) {
    const moment = after[name];
    const isNew = moment !== (before?.[name] ?? null);
    if (isNew && moment !== null && moment <= isoSeconds(now)) errors[name] = [broken('past')];
  }
  const { starts_at: start, ends_at: end } = after;
  if (start !== null && end !== null && end <= start) errors.ends_at ??= [broken('later')];
  return errors;
}

/**
 * A release with a change, and what is wrong with that: one that is published keeps its operations
 * and its beginning, and one that is over only changes its name.
 *
 * @param now in ms since 1970
 */
export function changedRelease(release: Release, change: ReleaseChange, now: number) {
  const { state } = release;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const after: Release = { ...release, ...Object.fromEntries(given) };
  const isChanged = (name: 'operations' | 'starts_at' | 'ends_at') =>
    JSON.stringify(after[name]) !== JSON.stringify(release[name]);
  const errors = momentErrors(after, release, now);
  const kept = state === 'live' ? (['operations', 'starts_at'] as const) : [];
  const over = state === 'ended' ? (['operations', 'starts_at', 'ends_at'] as const) : [];
  for (const name of [...kept, ...over]) if (isChanged(name)) errors[name] = [broken('published')];
  // Somebody has checked other operations.
  if (isChanged('operations') && change.confirmed_by === undefined) after.confirmed_by = null;
  const isOpen = state === 'live' || state === 'ended';
  const isPlanned = isChanged('operations') || isChanged('starts_at') || isChanged('ends_at');
  if (!isOpen && isPlanned) {
    // The time at which it failed is over.
    if (after.starts_at !== null && after.starts_at <= isoSeconds(now)) after.starts_at = null;
    if (after.ends_at !== null && after.ends_at <= isoSeconds(now)) after.ends_at = null;
    after.state = after.starts_at === null ? 'draft' : 'scheduled';
  }
  return { after, errors };
}

/** A release that begins or ends before another one. */
export interface ReleaseStep {
  release: Release;
  isEnd: boolean;
  moment: string;
}

/** Whether a step comes first; an end comes before a beginning of the same moment. */
function inOrder(left: ReleaseStep, right: ReleaseStep): number {
  if (left.moment !== right.moment) return left.moment < right.moment ? -1 : 1;
  return Number(right.isEnd) - Number(left.isEnd) || left.release.id - right.release.id;
}

/** The step of a release that the clock takes next; null for none. */
function nextStep(release: Release): ReleaseStep | null {
  const { state, starts_at, ends_at } = release;
  const moment = state === 'scheduled' ? starts_at : state === 'live' ? ends_at : null;
  return moment === null ? null : { release, isEnd: state === 'live', moment };
}

/** The steps of releases that the clock takes until a moment, in their order. */
export function stepsUntil(all: readonly Release[], until: string): ReleaseStep[] {
  return all
    .flatMap((one) => nextStep(one) ?? [])
    .filter(({ moment }) => moment <= until)
    .sort(inOrder);
}

/** The steps before a scheduled release begins. One that ends by then leaves nothing to it. */
export function stepsBefore(all: readonly Release[], release: Release): ReleaseStep[] {
  const own = nextStep(release);
  if (release.state !== 'scheduled' || own === null) return [];
  return stepsUntil(all, own.moment).filter(
    (step) =>
      inOrder(step, own) < 0 &&
      (step.isEnd || step.release.ends_at === null || step.release.ends_at > own.moment),
  );
}
