// Operations of POST /admin/bulk that name records by external ids, which are their names too.

import type { AdminClient } from './admin.ts';

type Row = Record<string, unknown>;

export const create = (resource: string, key: string, data: Row) => ({
  resource,
  action: 'create',
  external_id: key,
  data,
});
export const section = (key: string, more: Row = {}) =>
  create('categories', key, { name: { it: key }, ...more });
export const dish = (key: string, sectionKey: string, more: Row = {}) =>
  create('items', key, { category_external_id: sectionKey, name: { it: key }, ...more });
export const change = (resource: string, key: string, data: Row) => ({
  ...create(resource, key, data),
  action: 'update',
});
export const remove = (resource: string, key: string) => ({
  resource,
  action: 'delete',
  external_id: key,
});

/** Sends operations and documents to the restaurant of a test, and reads its records. */
export function sendingTo({ admin }: { admin: AdminClient }) {
  const { call, importTable } = admin;
  const bulk = (operations: unknown[], more: object = {}) =>
    call('POST', '/bulk', { operations, ...more });
  const exported = async () => (await admin.get('/export')).json.data;
  return {
    call,
    bulk,
    exported,
    importTable,
    importMenu: (document: unknown, query = '') => call('PUT', `/import${query}`, document),
    find: async (list: string, key: string) =>
      (await exported())[list].find((row: Row) => row.external_id === key),
    apply: async (operations: unknown[]) => {
      const reply = (await bulk(operations)).expect(200);
      return reply.json.data.results;
    },
  };
}
