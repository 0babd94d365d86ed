import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { memoize } from '../runtime/memoize.ts';
import type { Field } from '../schema/field.ts';
import { embeddedRecord, type RecordType, sentDefaults, storedName } from '../schema/record.ts';
import { type Reference, records, referencesFrom } from '../schema/registry.ts';
import type { Row } from '../schema/values/row.ts';

// Records in the form that menus are stored in, made from their declarations. The record itself is
// `r`, its tenant `t`.

export function tableOf({ table }: RecordType): Fragment {
  return sql.identifier([table]);
}

/** The alias of the record that a reference names. */
function tieAlias({ field }: Reference): string {
  return `${field}_tie`;
}

function isDetached({ options, isSingle }: Reference): boolean {
  return options.onDelete === 'detach' && isSingle;
}

/** ISO 8601 in UTC, in whole seconds; null for what never comes. */
export function isoMoment(own: Fragment): Fragment {
  return sql.fragment`
    case when isfinite(${own})
      then to_char(${own} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end
  `;
}

/** The same of a moment of `r`, as a column. */
export function shownMoment(name: string): Fragment {
  return sql.fragment`${isoMoment(sql.identifier(['r', name]))} as ${sql.identifier([name])}`;
}

/** Texts in each language; a plain text of the version before is one in the default language. */
function localized(name: string, alias: string): Fragment {
  const plain = sql.identifier([alias, name]);
  const locale = sql.fragment`(
    select d.default_locale from settings d where d.tenant_id = ${sql.identifier([alias, 'tenant_id'])}
  )`;
  return sql.fragment`
    case when ${plain} <> '' then jsonb_build_object(${locale}, ${plain})
      else ${sql.identifier([alias, textsColumn(name)])} end
  `;
}

/** The column of the texts in each language of a field that used to be one plain text. */
function textsColumn(name: string): string {
  return `${name}_texts`;
}

/** The fields of a checked body as columns. */
export function toColumns({ fields }: RecordType, input: Row): Row {
  const columns: Row = {};
  for (const [name, value] of Object.entries(input)) {
    const isLocalized = fields[name]?.kind === 'localized';
    columns[name] = isLocalized ? '' : value;
    if (isLocalized) columns[textsColumn(name)] = value;
  }
  return columns;
}

/** The declared defaults of a record that is inserted, as columns. */
export const defaultColumns = memoize(
  (record: RecordType): Row => toColumns(record, sentDefaults(record)),
);

/** The column with the records that a list of ids names. */
export function namedColumn({ field }: Reference): string {
  return `${field}_named`;
}

/** The ids that a field of `r` with a list names. */
export function idsOf({ from, field }: Reference): Fragment {
  const own = sql.identifier(['r', field]);
  if (from.fields[field]?.kind === 'references') return sql.fragment`select unnest(${own})`;
  return sql.fragment`
    select (o.option ->> 'item_id')::int from jsonb_array_elements(${own}) c (course),
      jsonb_array_elements(c.course -> 'options') o (option)
    where o.option ->> 'item_id' is not null
  `;
}

/** A list without deleted records, which may come back. */
function presentOf(reference: Reference, own: Fragment): Fragment {
  const { from, field, to } = reference;
  const isThere = (id: Fragment) => sql.fragment`exists (
    select from ${tableOf(to)} l
    where l.tenant_id = r.tenant_id and l.id = ${id} and l.deleted_at is null
  )`;
  if (from.fields[field]?.kind === 'references') {
    return sql.fragment`
      case when ${own} = '{}' then ${own} else (
        select coalesce(array_agg(u.id order by u.place), '{}')
        from unnest(${own}) with ordinality u (id, place) where ${isThere(sql.fragment`u.id`)}
      ) end
    `;
  }
  // Postgres expects a hundred courses of a hundred options. To look each up by its key would seem to
  // cost millions for a menu, and statements that seem dear are compiled, which takes seconds.
  return sql.fragment`
    case when ${own} = '[]' then ${own} else (
      select jsonb_agg(jsonb_set(c.course, '{options}', (
        select coalesce(jsonb_agg(o.option order by o.place), '[]')
        from jsonb_array_elements(c.course -> 'options') with ordinality o (option, place)
        where o.option ->> 'item_id' is null or there.ids ? (o.option ->> 'item_id')
      )) order by c.place)
      from jsonb_array_elements(${own}) with ordinality c (course, place), (
        select coalesce(jsonb_object_agg(l.id, true), '{}') as ids from ${tableOf(to)} l
        where l.tenant_id = r.tenant_id and l.id = any (array(${idsOf(reference)}))
          and l.deleted_at is null
      ) there
    ) end
  `;
}

function column(
  record: RecordType,
  name: string,
  field: Field,
  alias: string,
  showsHidden: boolean,
): Fragment {
  const own = sql.identifier([alias, name]);
  const shown = sql.identifier([storedName(name, field)]);
  if (field.kind === 'slug') return sql.fragment`t.slug`;
  const tie = referencesFrom(record).find((reference) => reference.field === name);
  if (tie && isDetached(tie) && !showsHidden) {
    return sql.fragment`${sql.identifier([tieAlias(tie), 'id'])} as ${shown}`;
  }
  if (tie && !tie.isSingle && !showsHidden) return sql.fragment`${presentOf(tie, own)} as ${shown}`;
  if (field.kind === 'moment' || field.kind === 'instant')
    return sql.fragment`${isoMoment(own)} as ${shown}`;
  if (field.kind === 'localized') return sql.fragment`${localized(name, alias)} as ${shown}`;
  if (field.kind === 'date') return sql.fragment`to_char(${own}, 'YYYY-MM-DD') as ${shown}`;
  return sql.fragment`${own} as ${shown}`;
}

/**
 * The columns of a record's own fields; they need `tiesOf` where it names records.
 *
 * @param showsHidden whether references show deleted records, too: then they need no ties
 */
export function columnsOf(record: RecordType, alias = 'r', showsHidden = false): Fragment {
  const id = sql.identifier([alias, record.isSingleton ? 'tenant_id' : 'id']);
  const own = Object.entries<Field>(record.fields).filter(([, { kind }]) => kind !== 'embedded');
  const columns = own.map(([name, field]) => column(record, name, field, alias, showsHidden));
  return sql.join([sql.fragment`${id} as id`, ...columns], ', ');
}

/**
 * Joins the records that a record names and outlives: while one is deleted, the record shows none. A
 * dish shows no type of another section either.
 */
export function tiesOf(record: RecordType): Fragment {
  const joins = referencesFrom(record)
    .filter(isDetached)
    .map((reference) => {
      const tie = sql.identifier([tieAlias(reference)]);
      const at = (name: string) => sql.identifier([tieAlias(reference), name]);
      const own = (name: string) => sql.identifier(['r', name]);
      const { within } = reference.options;
      const alike = within ? sql.fragment`and ${at(within)} = ${own(within)}` : sql.fragment``;
      return sql.fragment`
        left join ${tableOf(reference.to)} ${tie}
          on ${at('tenant_id')} = r.tenant_id and ${at('id')} = ${own(reference.field)} ${alike}
          and ${at('deleted_at')} is null
      `;
    });
  return sql.join(joins, ' ');
}

/** The rows of embedded records as JSON; they need `tiesOf`. */
export function embeddedOf(record: RecordType): Fragment {
  const columns = Object.entries<Field>(record.fields).flatMap(([name, field]) => {
    const tie = referencesFrom(record).find((reference) => reference.field === field.via);
    if (!tie?.isSingle) return [];
    const alias = tieAlias(tie);
    const row = columnsOf(embeddedRecord(field), alias);
    return [
      sql.fragment`
        , case when ${sql.identifier([alias, 'id'])} is not null
          then (select row_to_json(x) from (select ${row}) x) end as ${sql.identifier([name])}
      `,
    ];
  });
  const lists = referencesFrom(record).filter(({ isSingle }) => !isSingle);
  const named = lists.map((reference) => {
    const row = plainColumnsOf(reference.to);
    const which = sql.fragment`n.tenant_id = r.tenant_id and n.deleted_at is null`;
    return sql.fragment`
      , (
        select coalesce(json_agg(x), '[]') from (
          select ${row} from ${tableOf(reference.to)} n
          where ${which} and n.id in (${idsOf(reference)})
        ) x
      ) as ${sql.identifier([namedColumn(reference)])}
    `;
  });
  return sql.join([...columns, ...named], ' ');
}

/** The columns of a record that name no others; the record is `n`. */
function plainColumnsOf(record: RecordType): Fragment {
  const own = Object.entries<Field>(record.fields).filter(
    ([, { kind, target }]) => kind !== 'embedded' && target === undefined,
  );
  return sql.join(
    [
      sql.fragment`n.id as id`,
      ...own.map(([name, field]) => column(record, name, field, 'n', true)),
    ],
    ', ',
  );
}

/** The columns of a table besides its tenant and those that Postgres computes. */
export function ownColumns(db: Db, table: string): Promise<string[]> {
  return db.one(sql.value(v.array(v.string()))`
    select array_agg(attname::text) as names from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname <> 'tenant_id'
  `);
}

/**
 * Writes down in which language a restaurant's plain texts of the version before are: the default
 * language is about to change, and they stay in the present one.
 */
export async function settlePlainTexts(db: Db, tenantId: number): Promise<void> {
  for (const record of Object.values(records)) {
    for (const [name, { kind }] of Object.entries(record.fields)) {
      if (kind !== 'localized') continue;
      const plain = sql.identifier([name]);
      await db.run(sql.nothing`
        update ${tableOf(record)} r
        set ${sql.identifier([textsColumn(name)])} =
          jsonb_build_object(s.default_locale, r.${plain}), ${plain} = ''
        from settings s
        where r.tenant_id = ${tenantId} and s.tenant_id = ${tenantId} and r.${plain} <> ''
      `);
    }
  }
}
