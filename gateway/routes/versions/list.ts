import * as v from 'valibot';
import { timestamp } from '../../../db/schema/values/timestamp.ts';
import type { HistorySpan } from '../../../db/sql/history.ts';
import { listEntries, readForward, waitUntilSafe } from '../../../db/sql/history.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { ignoringMeta, ignoringMetaSchema, successSchema } from '../../http/envelope.ts';
import { GoneError, unavailable } from '../../http/errors.ts';
import { readQuery } from '../../http/query.ts';
import { success } from '../../openapi/examples.ts';
import { integerParameter, pagingEntries } from '../parameters.ts';
import type { ApiRoute } from '../services.ts';
import { entryExample, entrySchema } from './answers.ts';
import { entriesJson, readHistory } from './history.ts';

const querySchema = v.object({
  after: integerParameter(
    'Only later versions, the oldest first, with their differences. Pass the last version that you ' +
      'have, and you miss nothing. 0: from the beginning.',
  ),
  before: integerParameter('Only earlier versions. Without `after` the newest comes first.'),
  limit: pagingEntries.per_page,
});

const historyMetaSchema = v.object({
  ...ignoringMetaSchema.entries,
  latest: v.pipe(v.number(), v.integer(), v.description('The present version of the menu.')),
});

/** Whether all differences after a version are kept. */
function reachesBack({ latest, oldest, is_oldest_whole }: HistorySpan, after: number): boolean {
  return after <= latest && (after >= oldest || (is_oldest_whole && after === oldest - 1));
}

/** `GET /admin/versions`: who changed what, and the feed of changes. */
export const versionsRoute: ApiRoute = {
  kind: 'guarded',
  method: 'GET',
  path: '/admin/versions',
  limiter: 'admin',
  scope: 'menu:read',
  description: {
    id: 'listVersions',
    tag: 'Records',
    summary: 'List the versions of the menu',
    details:
      'An entry for each write. Writes that came together may share a version; they are never on two ' +
      'pages, so a page may have some entries more than `limit`. With `after` it is a feed of changes: ' +
      'ask again with the last version of the page until it is `meta.latest`. A page with long ' +
      'differences has fewer versions. 410: the versions after that one are not kept any more, or a ' +
      'failover took them back; export the menu, and go on from `meta.latest`.',
    query: querySchema,
    answers: {
      200: {
        description: 'Versions, each with who made it and how.',
        json: {
          name: 'VersionList',
          schema: successSchema(v.array(entrySchema), historyMetaSchema),
          example: success([entryExample], { latest: 12 }),
        },
      },
    },
    refusals: [410, 414, 422],
  },
  call: async ({ tenant, query }, { db }) => {
    const { values, ignored } = readQuery(querySchema, query);
    const { after, before, limit } = values;
    const { entries, latest } = await readHistory(db, tenant.id, async ({ db: moment, span }) => {
      if (after !== undefined && !reachesBack(span, Math.max(after, 0))) throw new GoneError();
      const read = after === undefined ? listEntries : readForward;
      const range = { after: after && Math.max(after, 0), before };
      return { entries: await read(moment, tenant.id, range, limit), latest: span.latest };
    });
    // A reader of the feed never asks for these again.
    if (after !== undefined)
      await waitUntilSafe(db).catch(unavailable('could not wait for a disk'));
    const generated_at = timestamp(new Date());
    const meta = JSON.stringify({ generated_at, latest, ...ignoringMeta(ignored) });
    return jsonAnswer('200 OK', `{"success":true,"data":${entriesJson(entries)},"meta":${meta}}`);
  },
};
