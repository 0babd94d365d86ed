import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { entityTag } from '../runtime/entity-tag.ts';
import { keysOf, objectOf } from '../runtime/keys.ts';
import { memoize } from '../runtime/memoize.ts';
import { chainLinkSchema } from '../schema/chain-link.ts';
import type { Embed, Field } from '../schema/field.ts';
import { embeddedRecord, type RecordType, viewRecord } from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import { type Locale, localeSchema, localize, readingIn } from '../schema/values/locale.ts';
import { type Collection, isCollection, type Resource } from '../schema/values/resource.ts';
import { isObject, type Row, rowsIn } from '../schema/values/row.ts';
import { restorableSince } from './deletions.ts';
import { columnsOf, embeddedOf, namedColumn, tableOf, tiesOf } from './record-columns.ts';

/** A record in the form in which the admin API shows it, and what identifies that form. */
export interface AdminRecord {
  id: number;
  /** Null for records that are there. */
  deletedAt: Date | null;
  /** The write that deleted it. */
  deletion: string | null;
  /** Strong, quotes included; it changes whenever anything of the record does. */
  etag: string;
  data: Record<string, unknown>;
  /** The row itself, in the form that menus are stored in. */
  row: Row;
}

interface AdminRow extends Row {
  id: number;
  default_locale: Locale;
  deleted_at?: Date | null;
  deletion?: string | null;
  chain: v.InferOutput<typeof chainLinkSchema>;
}

const times = { created_at: v.date(), deleted_at: v.nullable(v.date()) };

const namedSchema = v.array(v.looseObject({ id: v.number() }));

/** The other records that the row of a record has in itself. */
const broughtBy = memoize((record: RecordType) => {
  const references = referencesFrom(record);
  const isSingle = (name: string | undefined) =>
    references.some((reference) => reference.isSingle && reference.field === name);
  return {
    embedded: Object.entries<Field>(record.fields).filter(([, { via }]) => isSingle(via)),
    lists: references.filter((reference) => !reference.isSingle),
  };
});

/** Finds the records that a row brings along. */
function embedIn(record: RecordType, row: Row): Embed {
  const rows = new Map<string, Row>();
  const { embedded, lists } = broughtBy(record);
  for (const [name, field] of embedded) {
    const found = row[name];
    if (isObject(found)) rows.set(`${embeddedRecord(field).resource}/${found.id}`, found);
  }
  for (const reference of lists) {
    for (const found of rowsIn(row[namedColumn(reference)])) {
      rows.set(`${reference.to.resource}/${found.id}`, found);
    }
  }
  return (resource, id) => rows.get(`${resource}/${id}`) ?? null;
}

/** Reads a row as admins see it: in the restaurant's own language, with its times. */
function adminSchemaOf(record: RecordType): v.GenericSchema<unknown, AdminRecord> {
  const { embedded, lists } = broughtBy(record);
  const entries: v.ObjectEntries = {
    ...record.stored.entries,
    ...Object.fromEntries(
      embedded.map(([name, field]) => [name, v.nullable(embeddedRecord(field).stored)]),
    ),
    ...Object.fromEntries(lists.map((reference) => [namedColumn(reference), namedSchema])),
    updated_at: v.date(),
    default_locale: localeSchema,
    chain: chainLinkSchema,
    // The write that deleted it is not shown.
    ...(!record.isSingleton && { ...times, deletion: v.nullable(v.string()) }),
  };
  return v.pipe(
    v.object(entries),
    v.transform((row) => viewAdminRecord(record, row as unknown as AdminRow)),
  );
}

function viewAdminRecord(record: RecordType, row: AdminRow): AdminRecord {
  const { id, created_at, updated_at, default_locale, deleted_at = null, deletion = null } = row;
  const { chain } = row;
  const shown = viewRecord(record, row, {
    read: (texts) => localize(texts, readingIn(default_locale)),
    embed: embedIn(record, row),
    isAdmin: true,
  });
  const stamps = record.isSingleton ? { updated_at } : { created_at, updated_at, deleted_at };
  // Ten times as fast as a new object with the fields of both.
  const data = Object.assign(shown, stamps, { chain });
  return {
    id,
    deletedAt: deleted_at,
    deletion,
    etag: entityTag(JSON.stringify(data)),
    data,
    row,
  };
}

/** The rows of `selectRecords`, by resource. */
export const adminSchemas: Record<Resource, v.GenericSchema<unknown, AdminRecord>> = objectOf(
  keysOf(records),
  (resource) => adminSchemaOf(records[resource]),
);

/** The columns of a resource's schema, and the joins that they need; they are long, and made once. */
function shownOf(resource: Resource): { columns: Fragment; ties: Fragment } {
  const record = records[resource];
  // Settings that are being changed say their new language themselves.
  const settings = sql.identifier([resource === 'settings' ? 'r' : 's']);
  const stamps = record.isSingleton
    ? sql.fragment``
    : sql.fragment`r.created_at, r.deleted_at, r.deletion,`;
  const columns = sql.fragment`
    ${columnsOf(record)} ${embeddedOf(record)}, ${stamps} r.updated_at, ${settings}.default_locale,
    case when cf.tenant_id is not null then json_build_object('master_id', cf.master_id,
      'own_fields', array(select jsonb_object_keys(cf.own_fields) order by 1)) end as chain
  `;
  const id = sql.identifier(['r', record.isSingleton ? 'tenant_id' : 'id']);
  const ties = sql.fragment`
    ${tiesOf(record)} left join chain_follows cf
      on cf.tenant_id = r.tenant_id and cf.resource = ${resource} and cf.id = ${id}
  `;
  return { columns, ties };
}

const shown = objectOf(keysOf(records), shownOf);

/**
 * Selects a resource's records in the columns of its schema; the record itself is `r`.
 *
 * @param rows what to select from: the table, or the rows that a statement has just written
 */
export function selectRecords(resource: Resource, rows?: Fragment): Fragment {
  const { columns, ties } = shown[resource];
  return sql.fragment`
    select ${columns}
    from ${rows ?? tableOf(records[resource])} r
    join tenants t on t.id = r.tenant_id join settings s on s.tenant_id = r.tenant_id
    ${ties}
  `;
}

/**
 * A record of a tenant as admins see it, deleted ones too, or null.
 *
 * @param id of the record; of settings and theme there is one, and it is not looked at
 */
export function findRecord(db: Db, resource: Resource, tenantId: number, id: number | null) {
  const which = isCollection(resource) ? sql.fragment`and r.id = ${id}` : sql.fragment``;
  return db.maybeOne(sql.type(adminSchemas[resource])`
    ${selectRecords(resource)} where r.tenant_id = ${tenantId} ${which}
  `);
}

/** A record of a tenant that has a key, as admins see it; null when none that is there has it. */
export function findRecordByKey(db: Db, collection: Collection, tenantId: number, key: string) {
  return db.maybeOne(sql.type(adminSchemas[collection])`
    ${selectRecords(collection)}
    where r.tenant_id = ${tenantId} and r.external_id = ${key} and r.deleted_at is null
  `);
}

/** The id of the record that has a key, else of the last one that was deleted with it, or null. */
export function findIdByKey(db: Db, collection: Collection, tenantId: number, key: string) {
  return db.maybeOne(sql.value(v.number())`
    select id from ${tableOf(records[collection])}
    where tenant_id = ${tenantId} and external_id = ${key}
      and (deleted_at is null or deleted_at >= ${restorableSince})
    order by deleted_at desc nulls first limit 1
  `);
}

/** The order of a list: a column that every record has or these have, and then the ids. */
export interface ListOrder {
  column: 'id' | 'created_at' | 'updated_at' | 'display_order' | 'price';
  descending: boolean;
}

function orderBy({ column, descending }: ListOrder): Fragment {
  const direction = descending ? sql.fragment`desc` : sql.fragment``;
  const first = sql.identifier(['r', column]);
  const rest = column === 'id' ? sql.fragment`` : sql.fragment`, r.id ${direction}`;
  return sql.fragment`order by ${first} ${direction} ${rest}`;
}

/** Which of a collection's records a list shows, and the part of them. */
interface ListOptions {
  /** Of one section; sections and wineries do not belong to one. */
  categoryId: number | undefined;
  /** The one with this key. */
  externalId?: string | undefined;
  /** Changed then or later, in ISO 8601. */
  updatedSince?: string | undefined;
  order?: ListOrder;
  /** Those that can be restored instead of those that are there. */
  deleted: boolean;
  page: number;
  perPage: number;
}

/** One page of a tenant's records, and how many there are in all. */
export async function listRecords(
  db: Db,
  collection: Collection,
  tenantId: number,
  options: ListOptions,
): Promise<{ records: readonly AdminRecord[]; total: number }> {
  const { categoryId, externalId, updatedSince, deleted, page, perPage } = options;
  const order = orderBy(options.order ?? { column: 'id', descending: false });
  const wanted = sql.and(
    categoryId !== undefined && sql.fragment`r.category_id = ${categoryId}::int8`,
    externalId !== undefined && sql.fragment`r.external_id = ${externalId}`,
    updatedSince !== undefined && sql.fragment`r.updated_at >= ${updatedSince}::timestamptz`,
    deleted ? sql.fragment`r.deleted_at >= ${restorableSince}` : sql.fragment`r.deleted_at is null`,
  );
  const where = sql.fragment`where r.tenant_id = ${tenantId} ${wanted}`;
  // The page's ids come from an index: those of the pages before it are all that is read of these.
  const listed = await db.any(sql.type(adminSchemas[collection])`
    ${selectRecords(collection)}
    where r.tenant_id = ${tenantId} and r.id = any (array(
      select r.id from ${tableOf(records[collection])} r ${where}
      ${order} limit ${perPage} offset ${(page - 1) * perPage}
    ))
    ${order}
  `);
  const total = await db.one(sql.value(v.number())`
    select count(*) as total from ${tableOf(records[collection])} r ${where}
  `);
  return { records: listed, total };
}

/**
 * Writes one record, and reads it back as admins see it.
 *
 * @param writing a statement of `insertions` or `patches`, whose table is `u`
 */
export function readWritten(db: Db, resource: Resource, writing: Fragment): Promise<AdminRecord> {
  return db.one(sql.type(adminSchemas[resource])`
    with written as (${writing} returning u.*)
    ${selectRecords(resource, sql.fragment`written`)}
  `);
}
