import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

const openingTimeSchema = v.object({
  time_start: v.string(),
  /** From 1, Monday, to 7; null for all. */
  weekdays: v.nullable(v.array(v.number())),
});
export type OpeningTime = v.InferOutput<typeof openingTimeSchema>;

/** The times from which sections are served that are shown by the hour. */
export function listOpeningTimes(db: Db, tenantId: number): Promise<readonly OpeningTime[]> {
  return db.any(sql.type(openingTimeSchema)`
    select w.time_start, w.weekdays from sections s
    cross join lateral (
      select s.time_start, s.weekdays
      union all
      select h.time_start, h.weekdays
      from jsonb_to_recordset(s.hours) h (time_start text, weekdays integer[])
    ) w
    where s.tenant_id = ${tenantId} and s.deleted_at is null and s.is_active
      and s.time_visibility_enabled and w.time_start is not null
  `);
}
