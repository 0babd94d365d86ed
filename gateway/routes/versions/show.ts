import { timestamp } from '../../../db/schema/values/timestamp.ts';
import { findVersion, type HistoryEntry } from '../../../db/sql/history.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { metaSchema, successSchema } from '../../http/envelope.ts';
import { pathId } from '../../http/path.ts';
import { success } from '../../openapi/examples.ts';
import type { ApiRoute } from '../services.ts';
import { versionExample, versionSchema } from './answers.ts';
import { entriesJson, readHistory, requireVersion } from './history.ts';

/** The counts of all parts of a version. */
function sumCounts(entries: readonly HistoryEntry[]) {
  const sum = { created: 0, changed: 0, deleted: 0, restored: 0 };
  for (const { head } of entries) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += head.counts[name];
  }
  return sum;
}

/** Lists of finished JSON as one. */
function joinLists(lists: readonly (string | null)[]): string {
  return `[${lists.flatMap((list) => list?.trim().slice(1, -1) || []).join(',')}]`;
}

/** `GET /admin/versions/{version}`: the difference that made a version. */
export const versionRoute: ApiRoute = {
  kind: 'guarded',
  method: 'GET',
  path: '/admin/versions/:version',
  limiter: 'admin',
  scope: 'menu:read',
  description: {
    id: 'showVersion',
    tag: 'Records',
    summary: 'Show what a version changed',
    details:
      'All writes that share the version; `actor`, `origin` and `job_id` are those of the first, and ' +
      '`parts` has each with its own. 410: it is older than what is kept.',
    parameters: ['Version'],
    answers: {
      200: {
        description: 'The difference to the version before.',
        json: {
          name: 'VersionAnswer',
          schema: successSchema(versionSchema, metaSchema),
          example: success(versionExample),
        },
      },
    },
    refusals: [410],
  },
  call: async ({ tenant, param }, { db }) => {
    const version = pathId(param);
    const entries = await readHistory(db, tenant.id, ({ db: moment, span }) => {
      requireVersion(span, version);
      return findVersion(moment, tenant.id, version);
    });
    const [first] = entries;
    const head = JSON.stringify({ ...first?.head, counts: sumCounts(entries) });
    const changes = joinLists(entries.map((entry) => entry.changes));
    const data = `${head.slice(0, -1)},"changes":${changes},"parts":${entriesJson(entries)}}`;
    const meta = JSON.stringify({ generated_at: timestamp(new Date()) });
    return jsonAnswer('200 OK', `{"success":true,"data":${data},"meta":${meta}}`);
  },
};
