import type { Database, Db } from '../../db/postgres/connection.ts';
import { successBody } from '../../db/schema/envelope.ts';
import {
  COLLECTIONS,
  type Collection,
  type Resource,
  SINGLETONS,
} from '../../db/schema/registry.ts';
import { findRecord, listRecords } from '../../db/sql/menu/find-records.ts';
import { type Answer, JSON_TYPE, jsonAnswer } from '../http/answer.ts';
import { pagingMeta } from '../http/paging.ts';
import { pathId } from '../http/path-id.ts';
import { checkQuery } from '../http/query.ts';
import { createForm, prepareRepresentations, selectAnswer } from '../http/representations.ts';
import { recordsQuerySchema } from '../parameters/records.ts';
import type { AdminRoute } from '../pipeline/admin-route.ts';
import { NotFoundError, unavailable } from '../pipeline/errors.ts';
import type { CallContext } from '../pipeline/route.ts';

const away = unavailable('could not read the menu');

/** No cache may store it; a client that has seen the record may ask whether it is still as it was. */
const RECORD_FORM = createForm('no-store', { 'Content-Type': JSON_TYPE });

/** @param id null for what there is one of */
async function recordAnswer(
  db: Db,
  resource: Resource,
  context: CallContext,
  id: number | null,
): Promise<Answer> {
  const record = await findRecord(db, resource, context.tenant.id, id).catch(away);
  if (!record || record.deletedAt !== null) throw new NotFoundError();
  const identity = Buffer.from(successBody(record.data));
  return selectAnswer(
    prepareRepresentations({ etag: record.etag, identity }, RECORD_FORM),
    context,
  );
}

async function listAnswer(
  db: Database,
  collection: Collection,
  tenantId: number,
  query: string,
): Promise<Answer> {
  const { category_id, deleted, page, per_page } = checkQuery(recordsQuerySchema, query);
  const isOfSection = collection === 'items' || collection === 'types';
  const options = {
    categoryId: isOfSection ? category_id : undefined,
    deleted,
    page,
    perPage: per_page,
  };
  const { records, total } = await db
    .moment((tx) => listRecords(tx, collection, tenantId, options))
    .catch(away);
  const data = records.map((record) => record.data);
  return jsonAnswer('200 OK', successBody(data, pagingMeta(total, page, per_page)));
}

/** The endpoints that show the records as they are stored, inactive ones too. */
export function createReadRoutes(db: Database): AdminRoute[] {
  const read = (path: string, call: AdminRoute['call']): AdminRoute => ({
    method: 'GET',
    path,
    scope: 'menu:read',
    call,
  });
  return [
    ...COLLECTIONS.flatMap((collection) => [
      read(`/${collection}`, ({ tenant, query }) => listAnswer(db, collection, tenant.id, query)),
      read(`/${collection}/:id`, async (context) =>
        recordAnswer(db, collection, context, pathId(context.param)),
      ),
    ]),
    ...SINGLETONS.map((resource) =>
      read(`/${resource}`, (context) => recordAnswer(db, resource, context, null)),
    ),
  ];
}
