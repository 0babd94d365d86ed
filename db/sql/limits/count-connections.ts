import type { ReconnectingConnection } from '../../postgres/reconnecting-connection.ts';

const text = `
select count(distinct application_name)::int4 from pg_stat_activity
where datname = current_database() and starts_with(application_name, $1)`;

/** How many owners have connections whose name begins with `prefix`, in this database. */
export async function countConnections(
  connection: ReconnectingConnection,
  prefix: string,
): Promise<number> {
  const rows = await connection.query<[number]>('count-connections', text, [prefix]);
  return rows[0]?.[0] ?? 0;
}
