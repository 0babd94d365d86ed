import * as v from 'valibot';
import {
  problemSchema,
  type Release,
  type releaseInput,
  releaseStateSchema,
} from '../../../db/schema/release.ts';
import { sayErrors } from '../../../db/schema/validation/messages.ts';
import { codesSchema, invalidSchema } from '../../http/envelope.ts';
import { releasePreviewPath } from '../../releases/change-release.ts';

const moment = (description: string) =>
  v.pipe(v.nullable(v.string()), v.description(`${description} ISO 8601, or null.`));

/** A release as the API shows it. */
export const shownReleaseSchema = v.object({
  id: v.number(),
  name: v.pipe(v.string(), v.description('What people call it.')),
  operations: v.pipe(
    v.array(v.record(v.string(), v.unknown())),
    v.description('What it does, as `POST /admin/bulk` takes operations.'),
  ),
  starts_at: moment('When it is published.'),
  ends_at: moment('When it is taken back.'),
  state: v.pipe(
    releaseStateSchema,
    v.description('`live` once it is published, `ended` once it is taken back.'),
  ),
  problems: v.pipe(
    v.array(
      v.object({
        ...problemSchema.entries,
        errors: invalidSchema.entries.errors,
        codes: codesSchema,
      }),
    ),
    v.description(
      'Why it does not fit the menu. Of a live one with an end: what that will leave, since somebody ' +
        'has changed it; of one that has ended: what it has left.',
    ),
  ),
  is_preview_open: v.pipe(v.boolean(), v.description('Whether `preview_url` shows a preview.')),
  preview_url: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The menu as guests will see it, for everybody with this address; null for none.',
    ),
  ),
  created_at: v.pipe(v.string(), v.description('When it was created.')),
  updated_at: v.pipe(v.string(), v.description('When it was changed last.')),
});

/** The address of the preview of a release; null when its link is withdrawn. */
function previewUrl({ secret }: Pick<Release, 'secret'>, origin: string): string | null {
  return secret === null ? null : origin + releasePreviewPath(secret);
}

export function showRelease(release: Release, origin: string) {
  const { id, name, operations, starts_at, ends_at, state } = release;
  return {
    ...{ id, name, operations, starts_at, ends_at, state },
    problems: release.problems.map(({ errors, ...problem }) => ({
      ...problem,
      errors: sayErrors(errors, problem.path),
      codes: errors,
    })),
    is_preview_open: release.secret !== null,
    preview_url: previewUrl(release, origin),
    created_at: release.created_at.toISOString(),
    updated_at: release.updated_at.toISOString(),
  };
}

const operations = [
  {
    ...{ resource: 'items', action: 'update', external_id: 'gricia' },
    ...{ data: { price: 14 }, expected: { price: 12 } },
  },
];
/** A body that makes one. */
export const releaseExample = {
  ...{ name: 'Natale', operations },
  ...{ starts_at: '2026-12-24T18:00:00+01:00', ends_at: '2026-12-27T00:00:00+01:00' },
} satisfies v.InferInput<typeof releaseInput>;

export const shownExample = {
  ...{ id: 3, name: 'Natale', operations },
  ...{ starts_at: '2026-12-24T17:00:00Z', ends_at: '2026-12-26T23:00:00Z' },
  ...{ state: 'scheduled', problems: [], is_preview_open: true },
  preview_url: 'https://trattoria.example.com/preview/Zc3l9Xk2mQ0b7Vh1TnUe5rJw8sPy4aGdFo6iLBRCtKE',
  ...{ created_at: '2026-11-25T18:30:00.000Z', updated_at: '2026-11-25T18:30:00.000Z' },
};
