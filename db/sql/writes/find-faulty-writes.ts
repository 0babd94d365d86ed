import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const faultyWritesSchema = v.object({
  count: v.number(),
  /** The error of the last of them, as the queue kept it. */
  error: v.nullable(v.string()),
});

/** The writes of the last 24 hours that were given up, since an unexpected error came every time. */
export function findFaultyWrites(db: Db) {
  const faulty = sql.fragment`
    from writes
    where outcome->>'kind' = 'failed' and finished_at > now() - interval '24 hours'
  `;
  return db.one(sql.type(faultyWritesSchema)`
    select count(*)::int4 as count,
      (select error ${faulty} order by finished_at desc limit 1) as error ${faulty}
  `);
}
