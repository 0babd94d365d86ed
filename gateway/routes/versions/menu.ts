import { menuAsOf, pastRows } from '../../../db/history/past-menu.ts';
import { documentSchema, menuTag } from '../../../db/schema/bulk.ts';
import { documentOf } from '../../../db/snapshot/menu-document.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { JSON_TYPE } from '../../http/answer.ts';
import { metaSchema, successBody, successSchema } from '../../http/envelope.ts';
import { pathId } from '../../http/path.ts';
import { createForm, prepareRepresentations, selectAnswer } from '../../http/representations.ts';
import { success } from '../../openapi/examples.ts';
import type { ApiRoute } from '../services.ts';
import { readHistory, requireVersion } from './history.ts';

const FORM = createForm('no-store', { 'Content-Type': JSON_TYPE });

/** `GET /admin/versions/{version}/menu`: the menu as it was. */
export const versionMenuRoute: ApiRoute = {
  kind: 'guarded',
  method: 'GET',
  path: '/admin/versions/:version/menu',
  limiter: 'admin',
  scope: 'menu:read',
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
        json: {
          name: 'ExportAnswer',
          schema: successSchema(documentSchema, metaSchema),
          example: success({
            format: 'lavagna-menu/1',
            items: [{ id: 7, name: { it: 'Gricia' } }],
          }),
        },
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
    const document = documentOf((resource) => pastRows(past, resource));
    const identity = Buffer.from(successBody(document));
    return selectAnswer(
      prepareRepresentations({ etag: menuTag(version), identity }, FORM),
      context,
    );
  },
};
