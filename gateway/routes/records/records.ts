import * as v from 'valibot';
import type { Fields } from '../../../db/schema/field.ts';
import { withMediaOrigin } from '../../../db/schema/media-origin.ts';
import { records as declared, pathOf, records } from '../../../db/schema/registry.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { oneOfRule } from '../../../db/schema/validation/rule.ts';
import {
  COLLECTIONS,
  type Collection,
  isCollection,
  type Resource,
  SINGLETONS,
} from '../../../db/schema/values/resource.ts';
import {
  findRecord,
  findRecordByKey,
  type ListOrder,
  listRecords,
} from '../../../db/sql/admin-records.ts';
import { jsonAnswer } from '../../http/answer.ts';
import {
  ignoringListMetaSchema,
  ignoringMeta,
  pagingMeta,
  successBody,
  successSchema,
} from '../../http/envelope.ts';
import { NotFoundError, unavailable } from '../../http/errors.ts';
import { pathRecord } from '../../http/path.ts';
import { readQuery } from '../../http/query.ts';
import { taggedAnswer } from '../../http/representations.ts';
import { recordExamples } from '../../openapi/schemas.ts';
import { guarded } from '../frame/endpoints.ts';
import {
  integerParameter,
  momentParameter,
  pagingEntries,
  switchParameter,
} from '../frame/parameters.ts';
import type { ApiRoute } from '../frame/services.ts';
import { recordJson } from './answers.ts';
import { changeRoute, createRoute, deleteRoute, followRoute, restoreRoute } from './write.ts';

/** The fields by which any record can be sorted, and those that some records have. */
const ORDERS = ['id', 'created_at', 'updated_at'] as const;
const OWN_ORDERS = ['display_order', 'price'] as const;

function sortParameter(fields: Fields) {
  const columns = [...ORDERS, ...OWN_ORDERS.filter((name) => name in fields)];
  const values = columns.flatMap((name) => [name, `-${name}`]);
  return v.pipe(
    v.optional(v.picklist(values, oneOfRule(values)), 'id'),
    v.description('By which field, and with a minus from the last to the first; then by id.'),
    v.transform(
      (text): ListOrder => ({
        column: text.replace('-', '') as ListOrder['column'],
        descending: text.startsWith('-'),
      }),
    ),
  );
}

function querySchemaOf(fields: Fields) {
  const schema = v.object({
    category_id: integerParameter('Only records of this section.'),
    external_id: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => text.normalize('NFC')),
        v.description('Only the record with this key; a blank one is refused.'),
      ),
    ),
    updated_since: momentParameter(
      'Only records that were created or changed then or later; with `deleted=1`, deleted.',
    ),
    deleted: switchParameter('1: what was deleted and can be restored, not what is there.'),
    sort: sortParameter(fields),
    ...pagingEntries,
  });
  return 'category_id' in fields ? schema : (v.omit(schema, ['category_id']) as typeof schema);
}

/** Parameters that choose records. */
const FILTERS = ['category_id', 'external_id', 'updated_since'] as const;

/** `GET /admin/{collection}`: the records as they are stored, inactive ones too. */
function listRoute(collection: Collection): ApiRoute {
  const { schema: name, table, admin, fields } = declared[collection];
  const querySchema = querySchemaOf(fields);
  const listed = collection.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return guarded('GET', `/admin/${pathOf(collection)}`, RIGHTS.menu.read, {
    description: {
      id: `listStored${listed}`,
      tag: 'Records',
      summary: `List ${table} as stored, inactive ones too`,
      query: querySchema,
      answers: {
        200: {
          description: 'A page of records.',
          json: {
            name: `Admin${name}List`,
            schema: successSchema(v.array(admin), ignoringListMetaSchema),
            example: recordExamples(collection).list,
          },
        },
      },
      refusals: [414, 422],
    },
    call: async ({ tenant, query }, { db, mediaOrigin }) => {
      const { values, ignored } = readQuery(querySchema, query, FILTERS);
      const { page, per_page } = values;
      const options = {
        ...{ categoryId: values.category_id, externalId: values.external_id },
        ...{ updatedSince: values.updated_since, deleted: values.deleted },
        ...{ order: values.sort, page, perPage: per_page },
      };
      const { records, total } = await db
        .moment((tx) => listRecords(tx, collection, tenant.id, options))
        .catch(unavailable('could not read the records'));
      const data = records.map((record) => record.data);
      const body = successBody(data, {
        ...pagingMeta(total, page, per_page),
        ...ignoringMeta(ignored),
      });
      return jsonAnswer('200 OK', withMediaOrigin(body, mediaOrigin(tenant.slug)));
    },
  });
}

/** `GET /admin/{resource}/{id}`, and `GET /admin/{resource}` of what there is one of. */
function showRoute(resource: Resource): ApiRoute {
  const { schema, one, isSingleton: isOne } = records[resource];
  return guarded(
    'GET',
    isOne ? `/admin/${pathOf(resource)}` : `/admin/${pathOf(resource)}/:id`,
    RIGHTS.menu.read,
    {
      description: {
        id: `show${schema}`,
        tag: 'Records',
        summary: `Show ${one} as stored`,
        parameters: isOne ? ['IfNoneMatch'] : ['RecordId', 'IfNoneMatch'],
        answers: {
          200: { description: 'The record.', json: recordJson(resource), headers: ['ETag'] },
          304: {
            description: 'The record is as the client has seen it.',
            headers: ['ETag'],
            shared: 'RecordUnchanged',
          },
        },
      },
      call: async (context, { db, mediaOrigin }) => {
        const { id, key } = isOne ? { id: null, key: null } : pathRecord(context.param);
        const found =
          isCollection(resource) && key !== null
            ? findRecordByKey(db, resource, context.tenant.id, key)
            : findRecord(db, resource, context.tenant.id, id);
        const record = await found.catch(unavailable('could not read a record'));
        if (!record || record.deletedAt !== null) throw new NotFoundError();
        const origin = mediaOrigin(context.tenant.slug);
        const identity = Buffer.from(withMediaOrigin(successBody(record.data), origin));
        return taggedAnswer({ etag: record.etag, identity }, context);
      },
    },
  );
}

/** The endpoints that show and change records, the same for each (SPEC, "Admin endpoints"). */
export const recordRoutes: ApiRoute[] = [
  ...COLLECTIONS.flatMap((collection) => [
    ...(records[collection].isUploaded ? [] : [createRoute(collection)]),
    changeRoute(collection, 'PUT'),
    changeRoute(collection, 'PATCH'),
    deleteRoute(collection),
    restoreRoute(collection),
    followRoute(collection),
    listRoute(collection),
    showRoute(collection),
  ]),
  ...SINGLETONS.flatMap((resource) => [
    changeRoute(resource, 'PUT'),
    changeRoute(resource, 'PATCH'),
    followRoute(resource),
    showRoute(resource),
  ]),
];
