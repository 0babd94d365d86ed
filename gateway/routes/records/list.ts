import * as v from 'valibot';
import { withMediaOrigin } from '../../../db/schema/media-origin.ts';
import { type Collection, records as declared } from '../../../db/schema/registry.ts';
import { listRecords } from '../../../db/sql/admin-records.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { listMetaSchema, pagingMeta, successBody, successSchema } from '../../http/envelope.ts';
import { unavailable } from '../../http/errors.ts';
import { checkQuery } from '../../http/query.ts';
import { recordExamples } from '../../openapi/examples.ts';
import { flagParameter, integerParameter, pagingEntries } from '../parameters.ts';
import type { ApiRoute } from '../services.ts';

const querySchema = v.object({
  category_id: integerParameter('Only records of this section; sections and wineries are of none.'),
  deleted: v.optional(
    flagParameter('1: what was deleted and can be restored, not what is there.'),
    '0',
  ),
  ...pagingEntries,
});

/** `GET /admin/{collection}`: the records as they are stored, inactive ones too. */
export function listRoute(collection: Collection): ApiRoute {
  const { schema: name, admin, fields } = declared[collection];
  return {
    kind: 'guarded',
    method: 'GET',
    path: `/admin/${collection}`,
    limiter: 'admin',
    scope: 'menu:read',
    description: {
      id: `listStored${collection[0]?.toUpperCase()}${collection.slice(1)}`,
      tag: 'Records',
      summary: 'List records as stored, inactive ones too',
      query: querySchema,
      answers: {
        200: {
          description: 'A page of records.',
          json: {
            name: `Admin${name}List`,
            schema: successSchema(v.array(admin), listMetaSchema),
            example: recordExamples(collection).list,
          },
        },
      },
      refusals: [414, 422],
    },
    call: async ({ tenant, query }, { db, mediaOrigin }) => {
      const { category_id, deleted, page, per_page } = checkQuery(querySchema, query);
      const categoryId = 'category_id' in fields ? category_id : undefined;
      const options = { categoryId, deleted, page, perPage: per_page };
      const { records, total } = await db
        .moment((tx) => listRecords(tx, collection, tenant.id, options))
        .catch(unavailable('could not read the records'));
      const data = records.map((record) => record.data);
      const body = successBody(data, pagingMeta(total, page, per_page));
      return jsonAnswer('200 OK', withMediaOrigin(body, mediaOrigin(tenant.slug)));
    },
  };
}
