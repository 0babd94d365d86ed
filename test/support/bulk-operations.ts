// Operations of POST /admin/bulk that name records by external ids, which are their names too.

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
  resource,
  action: 'update',
  external_id: key,
  data,
});
export const remove = (resource: string, key: string) => ({
  resource,
  action: 'delete',
  external_id: key,
});
