import type pg from 'pg';

/**
 * The tables whose rows belong to a restaurant, with their columns that can be written and the
 * tables that they name.
 */
const OWN_TABLES = `
  select c.oid::regclass::text as name, array_agg(quote_ident(a.attname)) as columns, array(
    select distinct f.confrelid::regclass::text from pg_constraint f
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
  ) as named
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'tenant_id'
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  group by c.oid
`;

interface OwnTable {
  name: string;
  columns: string[];
  named: string[];
}

/** The tables, each after those that it names. */
function inOrder(tables: readonly OwnTable[]): OwnTable[] {
  const ordered = new Map<string, OwnTable>();
  const visit = (table: OwnTable) => {
    if (ordered.has(table.name)) return;
    for (const one of tables) if (table.named.includes(one.name)) visit(one);
    ordered.set(table.name, table);
  };
  tables.forEach(visit);
  return [...ordered.values()];
}

/**
 * Copies every row of a restaurant, its history and its visitors too, and counts all rows for the
 * planner of Postgres. A row that no second restaurant may have, such as a host, is not copied.
 *
 * @param count of the copies
 */
export async function copyRestaurant(db: pg.Client, tenantId: number, count: number) {
  const { rows } = await db.query<OwnTable>(OWN_TABLES);
  await db.query('begin');
  await db.query(
    `insert into tenants (slug, version)
     select 'copy-' || n, version from tenants, generate_series(1, $2::int) n where id = $1`,
    [tenantId, count],
  );
  for (const { name, columns } of inOrder(rows)) {
    await db.query(
      `insert into ${name} (tenant_id, ${columns}) overriding system value
       select t.id, ${columns.map((column) => `o.${column}`)}
       from ${name} o, tenants t where o.tenant_id = $1 and t.slug like 'copy-%'
       on conflict do nothing`,
      [tenantId],
    );
  }
  await db.query('commit');
  await db.query('vacuum analyze');
}
