import * as v from 'valibot';
import { menuAsOf, pastRows } from '../../../db/history/past-menu.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { keysOf } from '../../../db/runtime/keys.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { documentSchema, menuTag } from '../../../db/schema/bulk.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { timestamp } from '../../../db/schema/validation/date-fields.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { changesSchema, entryEntries } from '../../../db/schema/version.ts';
import { documentInSteps } from '../../../db/snapshot/menu-document.ts';
import {
  findHistorySpan,
  findVersion,
  type HistoryEntry,
  type HistorySpan,
  listEntries,
  readForward,
  waitUntilSafe,
} from '../../../db/sql/history.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { ignoringMeta, ignoringMetaSchema, metaSchema, successOf } from '../../http/envelope.ts';
import { GoneError, NotFoundError, unavailable } from '../../http/errors.ts';
import { pathId } from '../../http/path.ts';
import { readQuery } from '../../http/query.ts';
import { taggedAnswer } from '../../http/representations.ts';
import { guarded, successJson } from '../frame/endpoints.ts';
import { integerParameter, pagingEntries } from '../frame/parameters.ts';
import type { ApiRoute } from '../frame/services.ts';

const entrySchema = v.object({ ...entryEntries, changes: v.optional(changesSchema) });
const versionSchema = v.object({
  ...entryEntries,
  changes: changesSchema,
  parts: described(
    v.array(v.object({ ...entryEntries, changes: changesSchema })),
    'The same for each write that shares the version.',
  ),
});

const entry = {
  ...{ version: 12, part: 0, at: '2026-01-15T18:30:00.000Z', origin: 'api' },
  actor: { kind: 'token', id: 1, name: 'Cassa' },
  counts: { created: 0, changed: 1, deleted: 0, restored: 0 },
  job_id: '019b8e3c-5a3e-7c1a-9f00-2f6d1c7e4b11',
  confirmed_by: null,
};
const change = {
  ...{ resource: 'items', id: 7, external_id: 'gricia', name: 'Gricia', action: 'changed' },
  fields: { price: [11.5, 12] },
};
const whole = { ...entry, changes: [change] };

const entryExample = entry;
const versionExample = { ...whole, parts: [whole] };

/**
 * Reads a restaurant's history as it is at one moment.
 *
 * @throws NotFoundError when the restaurant has just been deleted
 * @throws UnavailableError when Postgres does not answer
 */
function readHistory<T>(
  database: Pick<Database, 'moment'>,
  tenantId: number,
  read: (history: { db: Db; span: HistorySpan }) => Promise<T>,
): Promise<T> {
  const reading = database.moment(async (db) => {
    const span = await findHistorySpan(db, tenantId);
    if (!span) throw new NotFoundError();
    return read({ db, span });
  });
  return reading.catch(unavailable('could not read a history'));
}

/**
 * Checks that the menu of a version is known.
 *
 * @throws GoneError for a version that is older than what is kept
 * @throws NotFoundError for one that there has not been
 */
function requireVersion({ latest, oldest }: HistorySpan, version: number): void {
  if (version > latest) throw new NotFoundError();
  if (version < oldest) throw new GoneError();
}

/** Entries as finished JSON, with their differences where these were read. */
function entriesJson(entries: readonly HistoryEntry[]): string {
  const texts = entries.map(({ head, changes }) => {
    const text = JSON.stringify(head);
    return changes === null ? text : `${text.slice(0, -1)},"changes":${changes}}`;
  });
  return `[${texts.join(',')}]`;
}

/** The counts of all parts of a version. */
function sumCounts(entries: readonly HistoryEntry[]) {
  const sum = { created: 0, changed: 0, deleted: 0, restored: 0 };
  for (const { head } of entries) {
    for (const name of keysOf(sum)) sum[name] += head.counts[name];
  }
  return sum;
}

/** `GET /admin/versions/{version}`: the difference that made a version. */
export const versionRoute: ApiRoute = guarded('GET', '/admin/versions/:version', RIGHTS.menu.read, {
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
        json: successJson('VersionAnswer', versionSchema, versionExample, metaSchema),
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
    // Lists of finished JSON as one.
    const changes = entries.flatMap((entry) => entry.changes?.trim().slice(1, -1) || []).join(',');
    const data = `${head.slice(0, -1)},"changes":[${changes}],"parts":${entriesJson(entries)}}`;
    const meta = JSON.stringify({ generated_at: timestamp(new Date()) });
    return jsonAnswer('200 OK', `{"success":true,"data":${data},"meta":${meta}}`);
  },
});

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
export const versionsRoute: ApiRoute = guarded('GET', '/admin/versions', RIGHTS.menu.read, {
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
        json: successJson('VersionList', v.array(entrySchema), [entryExample], historyMetaSchema, {
          latest: 12,
        }),
      },
    },
    refusals: [410, 414, 422],
  },
  call: async ({ tenant, query }, { db }) => {
    const { values, ignored } = readQuery(querySchema, query, ['after', 'before']);
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
});

/** `GET /admin/versions/{version}/menu`: the menu as it was. */
export const versionMenuRoute: ApiRoute = guarded(
  'GET',
  '/admin/versions/:version/menu',
  RIGHTS.menu.read,
  {
    description: {
      id: 'exportVersion',
      tag: 'Records',
      summary: 'Export the menu as it was in a version',
      details:
        'The document that `/admin/export` gave while the menu was in that version. 410: it is older ' +
        'than what is kept.',
      parameters: ['Version', 'IfNoneMatch'],
      answers: {
        200: {
          description: 'The menu.',
          json: successJson(
            'ExportAnswer',
            documentSchema,
            {
              format: 'lavagna-menu/1',
              items: [{ id: 7, name: { it: 'Gricia' } }],
            },
            metaSchema,
          ),
          headers: ['ETag'],
        },
        304: {
          description: 'The client has it: the menu of a version never changes.',
          headers: ['ETag'],
          shared: 'RecordUnchanged',
        },
      },
      refusals: [410],
    },
    call: async (context, { reportDb }) => {
      const { tenant, param } = context;
      const version = pathId(param);
      const past = await readHistory(reportDb, tenant.id, async ({ db, span }) => {
        requireVersion(span, version);
        return menuAsOf(db, tenant.id, await loadMenu(db, tenant.id), version);
      });
      const document = await inSlices(documentInSteps((resource) => pastRows(past, resource)));
      const identity = await writeJson(successOf(document));
      return taggedAnswer({ etag: menuTag(version), identity }, context);
    },
  },
);
