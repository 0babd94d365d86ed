import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { type Write, writeSchema } from '../../schema/write.ts';

/** Gateways of the former release store `If-Match` as it was sent; weak tags match nothing. */
const formerTags = sql.fragment`
  case when if_match is null then null
    when trim(if_match) = '*' then array['*']
    else array(select tag[1] from regexp_matches(if_match, '(?:W/)?"[^"]*"', 'g') as tag)
  end
`;
const columns = sql.fragment`
  tenant_id, id, resource, action, record_id, input,
  coalesce(expected_tags, ${formerTags}) as expected_tags
`;

/**
 * The next writes of each tenant in the order in which they were sent, as many as share a rebuild,
 * without their documents. The tenants' rows must be locked, so that no other worker does them.
 */
export function takeWrites(db: Db, tenantIds: readonly number[]): Promise<readonly Write[]> {
  return db.any(sql.type(writeSchema)`
    select w.tenant_id, w.id, w.resource, w.action, w.record_id, w.input, w.expected_tags
    from unnest(${sql.array(tenantIds, 'int4')}) as tenant (id), lateral (
      select ${columns}, batch from writes
      where tenant_id = tenant.id and finished_at is null
      order by batch, id
      limit ${constants.maxWritesPerRebuild}
    ) w
    order by w.tenant_id, w.batch, w.id
  `);
}

/** One write, unless it is finished already. */
export function takeWrite(db: Db, tenantId: number, id: string): Promise<Write | null> {
  return db.maybeOne(sql.type(writeSchema)`
    select ${columns} from writes
    where tenant_id = ${tenantId} and id = ${id} and finished_at is null
  `);
}
