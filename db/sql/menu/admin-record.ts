import * as v from 'valibot';
import { type Fragment, sql } from '../../postgres/sql.ts';
import { entityTag } from '../../runtime/entity-tag.ts';
import type { Field } from '../../schema/field.ts';
import { type Locale, localeSchema, localize } from '../../schema/locale.ts';
import { embeddedRecord, type RecordType, type Row, viewRecord } from '../../schema/record.ts';
import { type Resource, records } from '../../schema/registry.ts';
import { columnsOf, embeddedOf, tableOf, tiesOf } from './record-columns.ts';

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
  row: unknown;
}

interface AdminRow extends Row {
  id: number;
  default_locale: Locale;
  deleted_at?: Date | null;
  deletion?: string | null;
}

const times = { created_at: v.date(), deleted_at: v.nullable(v.date()) };

/** Reads a row as admins see it: in the restaurant's own language, with its times. */
function adminSchemaOf(record: RecordType): v.GenericSchema<unknown, AdminRecord> {
  const embedded = Object.entries<Field>(record.fields).filter(([, field]) => field.via);
  const entries: v.ObjectEntries = {
    ...record.stored.entries,
    ...Object.fromEntries(
      embedded.map(([name, field]) => [name, v.nullable(embeddedRecord(field).stored)]),
    ),
    updated_at: v.date(),
    default_locale: localeSchema,
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
  const shown = viewRecord(record, row, {
    read: (texts) => localize(texts, default_locale, default_locale),
    embed: (name) => row[name] as Row | null,
    isAdmin: true,
  });
  const stamps = record.isSingleton ? { updated_at } : { created_at, updated_at, deleted_at };
  const data = { ...shown, ...stamps };
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
export const adminSchemas = Object.fromEntries(
  Object.entries(records).map(([resource, record]) => [resource, adminSchemaOf(record)]),
) as Record<Resource, v.GenericSchema<unknown, AdminRecord>>;

/**
 * Selects a resource's records in the columns of its schema; the record itself is `r`.
 *
 * @param rows what to select from: the table, or the rows that a statement has just written
 */
export function selectRecords(resource: Resource, rows?: Fragment): Fragment {
  const record = records[resource];
  // Settings that are being changed say their new language themselves.
  const settings = sql.identifier([resource === 'settings' ? 'r' : 's']);
  const stamps = record.isSingleton
    ? sql.fragment``
    : sql.fragment`r.created_at, r.deleted_at, r.deletion,`;
  return sql.fragment`
    select ${columnsOf(record)} ${embeddedOf(record)}, ${stamps} r.updated_at,
      ${settings}.default_locale
    from ${rows ?? tableOf(record)} r
    join tenants t on t.id = r.tenant_id join settings s on s.tenant_id = r.tenant_id
    ${tiesOf(record)}
  `;
}
