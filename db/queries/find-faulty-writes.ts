import * as v from 'valibot';
import { type Db, sql } from '../postgres/connection.ts';

const faultyWritesSchema = v.object({
  count: v.number(),
  /** What went wrong with the last of them, as the queue kept it. */
  error: v.nullable(v.string()),
});
export type FaultyWrites = v.InferOutput<typeof faultyWritesSchema>;

/** The writes of the last 24 hours that were given up, since an unexpected error came every time. */
export function findFaultyWrites(db: Db): Promise<FaultyWrites> {
  return db.one(sql.type(faultyWritesSchema)`
    select count(*)::int4 as count, (array_agg(error order by finished_at desc))[1] as error
    from writes where status = 500 and finished_at > now() - interval '24 hours'
  `);
}
