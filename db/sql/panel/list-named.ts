import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { dish } from '../../schema/dish.ts';
import { translationsSchema } from '../../schema/locale.ts';
import { records, referencesTo } from '../../schema/registry.ts';
import { tableOf } from '../record-columns.ts';

/** Collections of records that dishes name. */
export type Named = 'types' | 'wineries';

const namedSchema = v.object({
  id: v.number(),
  name: v.union([v.string(), translationsSchema]),
  /** The section of a type; null for wineries. */
  category_id: v.nullable(v.number()),
  is_active: v.boolean(),
  /** How many dishes name it. */
  dishes: v.number(),
});
export type NamedRecord = v.InferOutput<typeof namedSchema>;

const NONE = sql.fragment`null::int as category_id, true as is_active`;
const OWN = sql.fragment`r.category_id, r.is_active`;

/** The records of a collection with their numbers of dishes: types in their order, wineries by name. */
export function listNamed(
  db: Db,
  collection: Named,
  tenantId: number,
): Promise<readonly NamedRecord[]> {
  const record = records[collection];
  const reference = referencesTo(record).find(({ from }) => from.resource === dish.resource);
  const field = sql.identifier(['d', reference?.field ?? '']);
  const isType = collection === 'types';
  return db.any(sql.type(namedSchema)`
    select r.id, to_jsonb(r.name) as name, ${isType ? OWN : NONE},
      (
        select count(*)::int from dishes d
        where d.tenant_id = r.tenant_id and ${field} = r.id and d.deleted_at is null
      ) as dishes
    from ${tableOf(record)} r
    where r.tenant_id = ${tenantId} and r.deleted_at is null
    order by ${isType ? sql.fragment`r.display_order` : sql.fragment`lower(r.name)`}, r.id
  `);
}
