import { sql } from '../../postgres/sql.ts';
import type { Scope } from './roll-up.ts';

/**
 * The cells that a scope's figures of some days are made of, both ends included. For dishes these are
 * those of the whole months among the days, and those of the days before and after: a year has forty
 * rows a dish instead of 365.
 */
export function selectCounts(tenantId: number, scope: Scope, from: string, to: string) {
  const cells = (stored: Scope | 'item_month', days: ReturnType<typeof sql.fragment>) =>
    sql.fragment`
      select day, key, events, visitors, views_by_locale from analytics_counts
      where tenant_id = ${tenantId} and scope = ${stored} and ${days}
    `;
  const until = sql.fragment`day <= ${to}::date`;
  if (scope !== 'item') return cells(scope, sql.fragment`day >= ${from}::date and ${until}`);
  // The first day of the first whole month, and the day after the last one: not later if there is none.
  const begin = sql.fragment`
    (date_trunc('month', ${from}::timestamp - interval '1 day') + interval '1 month')::date
  `;
  const end = sql.fragment`date_trunc('month', ${to}::timestamp + interval '1 day')::date`;
  return sql.fragment`
    ${cells('item', sql.fragment`day >= ${from}::date and day < ${begin} and ${until}`)}
    union all
    ${cells('item_month', sql.fragment`day >= ${begin} and day < ${end}`)}
    union all
    ${cells('item', sql.fragment`day >= greatest(${begin}, ${end}) and ${until}`)}
  `;
}
