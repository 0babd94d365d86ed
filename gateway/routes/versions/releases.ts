import * as v from 'valibot';
import {
  alterRelease,
  createRelease,
  OutdatedRelease,
  releaseTag,
  releaseWrite,
  removeRelease,
} from '../../../db/actions/releases.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  problemSchema,
  type Release,
  type ReleaseChange,
  releaseChange,
  type releaseInput,
  releaseStateSchema,
} from '../../../db/schema/release.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { codesSchema, sayErrors } from '../../../db/schema/validation/messages.ts';
import { findRelease, listReleases } from '../../../db/sql/releases.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { errorBody, invalidSchema } from '../../http/envelope.ts';
import { NotFoundError } from '../../http/errors.ts';
import { pathId, releasePreviewPath } from '../../http/path.ts';
import type { DescribedAnswer, Description } from '../../openapi/description.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { createEndpoints, dataAnswer, describeAnswers, readBody } from '../frame/endpoints.ts';
import type { ApiRoute, Services } from '../frame/services.ts';
import { outdatedSchema } from '../records/answers.ts';
import { expectedTags, isAsync, makeWrite, readerOf } from '../records/read-write.ts';
import { bulkAnswers } from '../whole-menu/answers.ts';

const moment = (description: string) =>
  described(v.nullable(v.string()), `${description} ISO 8601, or null.`);

/** A release as the API shows it. */
const shownReleaseSchema = v.object({
  id: v.number(),
  name: described(v.string(), 'What people call it.'),
  operations: described(
    v.array(v.record(v.string(), v.unknown())),
    'What it does, as `POST /admin/bulk` takes operations.',
  ),
  starts_at: moment('When it is published.'),
  ends_at: moment('When it is taken back.'),
  state: described(
    releaseStateSchema,
    '`live` once it is published, `ended` once it is taken back.',
  ),
  problems: described(
    v.array(
      v.object({
        ...problemSchema.entries,
        errors: invalidSchema.entries.errors,
        codes: codesSchema,
      }),
    ),
    'Why it does not fit the menu. Of a live one with an end: what that will leave, since somebody ' +
      'has changed it; of one that has ended: what it has left.',
  ),
  is_preview_open: described(v.boolean(), 'Whether `preview_url` shows a preview.'),
  preview_url: described(
    v.nullable(v.string()),
    'The menu as guests will see it, for everybody with this address; null for none.',
  ),
  confirmed_by: described(
    v.nullable(v.string()),
    'The person who has checked the allergens that it changes.',
  ),
  created_at: described(v.string(), 'When it was created.'),
  updated_at: described(v.string(), 'When it was changed last.'),
});

function showRelease(release: Release, origin: string) {
  const { id, name, operations, starts_at, ends_at, state } = release;
  return {
    ...{ id, name, operations, starts_at, ends_at, state },
    problems: release.problems.map(({ errors, ...problem }) => ({
      ...problem,
      errors: sayErrors(errors, problem.path),
      codes: errors,
    })),
    is_preview_open: release.secret !== null,
    preview_url: release.secret === null ? null : origin + releasePreviewPath(release.secret),
    confirmed_by: release.confirmed_by,
    created_at: release.created_at,
    updated_at: release.updated_at,
  };
}

const operations = [
  {
    ...{ resource: 'items', action: 'update', external_id: 'gricia' },
    ...{ data: { price: 14 }, expected: { price: 12 } },
  },
];
/** A body that makes one. */
const releaseExample = {
  ...{ name: 'Natale', operations },
  ...{ starts_at: '2026-12-24T18:00:00+01:00', ends_at: '2026-12-27T00:00:00+01:00' },
} satisfies v.InferInput<typeof releaseInput>;

const shownExample = {
  ...{ id: 3, name: 'Natale', operations },
  ...{ starts_at: '2026-12-24T17:00:00Z', ends_at: '2026-12-26T23:00:00Z' },
  ...{ state: 'scheduled', problems: [], is_preview_open: true },
  preview_url: 'https://trattoria.example.com/preview/Zc3l9Xk2mQ0b7Vh1TnUe5rJw8sPy4aGdFo6iLBRCtKE',
  confirmed_by: null,
  ...{ created_at: '2026-11-25T18:30:00.000Z', updated_at: '2026-11-25T18:30:00.000Z' },
};

const describe = describeAnswers('ReleaseAnswer', shownReleaseSchema, shownExample);
const releaseAnswer = (description: string): DescribedAnswer => ({
  ...describe(description),
  headers: ['ETag'],
});

const { route, listRoute, createRoute, deleteRoute } = createEndpoints({
  path: '/admin/releases',
  tag: 'Releases',
  part: 'menu',
  isOfMenu: true,
  failure: 'could not reach the releases',
});

function answer(
  { tenant }: GuardedContext,
  { originOf }: Services,
  release: Release,
  ignored: readonly string[] = [],
) {
  const shown = showRelease(release, originOf(tenant));
  return dataAnswer(shown, ignored, { headers: { ETag: releaseTag(release) } });
}

const { 412: _outdated, ...WRITTEN } = bulkAnswers;

/** An endpoint that does something with a release, as one write. */
function deedRoute(
  name: 'publish' | 'check' | 'end',
  description: Pick<Description, 'id' | 'summary' | 'details'>,
  deed?: Parameters<typeof releaseWrite>[1],
): ApiRoute {
  return route(
    'POST',
    `/:id/${name}`,
    {
      ...description,
      parameters: ['Id', 'IdempotencyKey', 'Prefer'],
      answers: WRITTEN,
      refusals: [413],
    },
    async (context, { writes }) => {
      const release_id = pathId(context.param);
      const asked = { ...releaseWrite(release_id, deed), ignored: [] };
      const write = makeWrite(context, asked, ['release', name, release_id], await context.body);
      return writes.perform(write, readerOf(context), isAsync(context));
    },
  );
}

export const releaseRoutes: readonly ApiRoute[] = [
  listRoute(
    { id: 'listReleases', summary: 'List releases, the last one first' },
    describeAnswers('ReleaseList', v.array(shownReleaseSchema), [shownExample])('All of them.'),
    listReleases,
    (one, { tenant }, { originOf }) => showRelease(one, originOf(tenant)),
  ),
  createRoute(
    {
      ...{ id: 'createRelease', summary: 'Create a release' },
      details:
        'A list of operations that waits: for somebody, for a time, or for a span. At the end of a ' +
        'span what is still as the release left it is taken back, and `problems` names the rest. ' +
        `At most ${constants.maxReleases} a restaurant that have not ended, ${constants.maxReleaseOperations} ` +
        `operations and ${constants.maxReleaseBytes} bytes each. Of those that have ended, the newest ` +
        `${constants.maxReleases} stay. Workers note in \`problems\` what does not fit ` +
        'the menu any more; such a release fails at its time, and changes nothing. Moments that it ' +
        'sets come after its beginning, or in the future where somebody publishes it.',
    },
    {
      action: createRelease,
      body: { name: 'ReleaseInput', example: releaseExample },
      answer: { ...releaseAnswer('The new release.'), headers: ['ETag', 'Location'] },
      show: (one, { tenant }, { originOf }) => showRelease(one, originOf(tenant)),
      headersOf: (made) => ({ ETag: releaseTag(made) }),
    },
  ),
  route(
    'GET',
    '/:id',
    {
      ...{ id: 'showRelease', summary: 'Show a release', parameters: ['Id'] },
      answers: { 200: releaseAnswer('The release.') },
    },
    async (context, services) => {
      const found = await findRelease(services.db, context.tenant.id, pathId(context.param));
      if (!found) throw new NotFoundError();
      return answer(context, services, found);
    },
  ),
  route(
    'PUT',
    '/:id',
    {
      ...{ id: 'setRelease', summary: 'Change a release', parameters: ['Id', 'IfMatch'] },
      details:
        'Fields that are not sent stay. One that has failed waits again when its operations or times ' +
        'change. Once it is published, only its name and its end can change. With `is_preview_open` ' +
        'false the link of its preview is withdrawn, and true makes another one.',
      body: { name: 'ReleaseChange', schema: releaseChange, example: { name: 'Vigilia' } },
      answers: {
        200: releaseAnswer('The release as it is now.'),
        412: {
          description: 'The release is not the one that the client has seen; here it is.',
          json: {
            name: 'OutdatedRelease',
            schema: outdatedSchema(shownReleaseSchema),
            example: { success: false, message: 'Precondition Failed', data: shownExample },
          },
          headers: ['ETag'],
        },
      },
      refusals: [413, 415],
    },
    async (context, services) => {
      const id = pathId(context.param);
      const { input, ignored } = await readBody(releaseChange, context);
      const { db, originOf, now } = services;
      const { tenant, headers } = context;
      const tags = expectedTags(headers.get('if-match'));
      const changed = await alterRelease(db, tenant.id, id, input as ReleaseChange, tags, now());
      if (!changed) throw new NotFoundError();
      if (!(changed instanceof OutdatedRelease)) {
        return answer(context, services, changed, ignored);
      }
      const data = showRelease(changed.release, originOf(tenant));
      const body = errorBody('Precondition Failed', { data });
      return jsonAnswer('412 Precondition Failed', body, { ETag: releaseTag(changed.release) });
    },
  ),
  deleteRoute(
    {
      ...{ id: 'deleteRelease', summary: 'Delete a release' },
      details: 'The menu stays as it is. One that waits for its end is ended first.',
    },
    'It is gone.',
    removeRelease,
  ),
  deedRoute('publish', {
    ...{ id: 'publishRelease', summary: 'Publish a release now' },
    details: 'As one write with one version. One that does not fit changes nothing: 422.',
  }),
  deedRoute(
    'check',
    {
      ...{ id: 'checkRelease', summary: 'Say what a release would do' },
      details:
        'As a dry run answers. A scheduled release is tried on the menu as the scheduled ones before ' +
        'it, and the ends before it, will leave it. A live one says what its end would take back now.',
    },
    { dry_run: true },
  ),
  deedRoute(
    'end',
    {
      ...{ id: 'endRelease', summary: 'Take a live release back now' },
      details: 'What is still as it left it; `problems` of the release name the rest.',
    },
    { end: true },
  ),
];
