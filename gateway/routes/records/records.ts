import { withMediaOrigin } from '../../../db/schema/media-origin.ts';
import {
  COLLECTIONS,
  isCollection,
  pathOf,
  type Resource,
  records,
  SINGLETONS,
} from '../../../db/schema/registry.ts';
import { findRecord, findRecordByKey } from '../../../db/sql/admin-records.ts';
import { JSON_TYPE } from '../../http/answer.ts';
import { successBody } from '../../http/envelope.ts';
import { NotFoundError, unavailable } from '../../http/errors.ts';
import { pathRecord } from '../../http/path.ts';
import { createForm, prepareRepresentations, selectAnswer } from '../../http/representations.ts';
import type { ApiRoute } from '../services.ts';
import { recordJson } from './answers.ts';
import { listRoute } from './list.ts';
import { changeRoute, createRoute, deleteRoute, restoreRoute } from './write.ts';

/** No cache may store it; a client that has seen the record may ask whether it is still as it was. */
const RECORD_FORM = createForm('no-store', { 'Content-Type': JSON_TYPE });

/** `GET /admin/{resource}/{id}`, and `GET /admin/{resource}` of what there is one of. */
function showRoute(resource: Resource): ApiRoute {
  const { schema, one, isSingleton: isOne } = records[resource];
  return {
    kind: 'guarded',
    method: 'GET',
    path: isOne ? `/admin/${pathOf(resource)}` : `/admin/${pathOf(resource)}/:id`,
    limiter: 'admin',
    scope: 'menu:read',
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
      const body = prepareRepresentations({ etag: record.etag, identity }, RECORD_FORM);
      return selectAnswer(body, context);
    },
  };
}

/** The endpoints that show and change records, the same for each (SPEC, "Admin endpoints"). */
export const recordRoutes: ApiRoute[] = [
  ...COLLECTIONS.flatMap((collection) => [
    ...(records[collection].isUploaded ? [] : [createRoute(collection)]),
    changeRoute(collection, 'PUT'),
    changeRoute(collection, 'PATCH'),
    deleteRoute(collection),
    restoreRoute(collection),
    listRoute(collection),
    showRoute(collection),
  ]),
  ...SINGLETONS.flatMap((resource) => [
    changeRoute(resource, 'PUT'),
    changeRoute(resource, 'PATCH'),
    showRoute(resource),
  ]),
];
