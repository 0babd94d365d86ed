import * as v from 'valibot';
import { pipelined } from '../../postgres/pipelined.ts';
import { type Db, sql } from '../../postgres/sql.ts';
import type { NewWrite } from '../../schema/write.ts';

const submittedSchema = v.object({
  id: v.string(),
  inserted: v.boolean(),
  /** Whether as many of the tenant's writes wait as may. */
  full: v.boolean(),
});
export type Submitted = v.InferOutput<typeof submittedSchema>;

/** Takes keys of finished writes away that are older than `keyHours`: they may be used again. */
function freeKeys(db: Db, given: string, keyHours: number): Promise<number> {
  return db.run(sql.nothing`
    with old as (
      select w.tenant_id, w.id
      from writes w join jsonb_populate_recordset(null::writes, ${given}::jsonb) n
        on w.tenant_id = n.tenant_id and w.token_id = n.token_id
        and w.idempotency_key = n.idempotency_key
      where w.created_at < now() - make_interval(hours => ${keyHours})
        and w.finished_at is not null
      order by w.tenant_id, w.token_id, w.idempotency_key for no key update of w
    )
    update writes w set idempotency_key = null
    from old where w.tenant_id = old.tenant_id and w.id = old.id
  `);
}

function insertWrites(db: Db, given: string, maxWaiting: number): Promise<readonly Submitted[]> {
  return db.any(sql.type(submittedSchema)`
    with given as (
      select n.*, row_number() over (partition by tenant_id order by id) as place
      from jsonb_populate_recordset(null::writes, ${given}::jsonb) n
    ), waiting as (
      select tenant_id, count(*) as count from writes
      where finished_at is null and tenant_id in (select tenant_id from given)
      group by tenant_id
    ), placed as (
      select g.*, g.place + coalesce(w.count, 0) > ${maxWaiting} as is_full
      from given g left join waiting w on w.tenant_id = g.tenant_id
    ), inserted as (
      insert into writes (tenant_id, id, token_id, resource, action, record_id, input, expected_tags,
        if_match, idempotency_key, request_hash, ignored, batch)
      select tenant_id, id, token_id, resource, action, record_id, input, expected_tags,
        -- For workers of the former release.
        array_to_string(expected_tags, ', '),
        idempotency_key, request_hash, ignored, (select nextval('writes_batch'))
      from placed where not is_full order by tenant_id, token_id, idempotency_key
      on conflict (tenant_id, token_id, idempotency_key) where idempotency_key is not null
        do nothing
      returning tenant_id, id
    )
    select p.id, i.id is not null as inserted, p.is_full as full
    from placed p left join inserted i on i.tenant_id = p.tenant_id and i.id = p.id
  `);
}

/** As a parameter of its own: as a part of the others' JSON a large one would take twice the room. */
function attachDocument(db: Db, { tenant_id, id, document }: NewWrite): Promise<number> {
  return db.run(sql.nothing`
    update writes set document = ${document as Buffer}
    where tenant_id = ${tenant_id} and id = ${id}
  `);
}

/**
 * Records writes that are to be done, in the order of their ids behind all that were recorded before,
 * and says of each whether it was: not when the tenant has `maxWaiting` before it, nor when its
 * idempotency key is taken. A key is free again after `keyHours`. All gateways take keys in the same
 * order, so that they never wait for each other in a circle.
 */
export async function submitWrites(
  db: Db,
  writes: readonly NewWrite[],
  maxWaiting: number,
  keyHours: number,
): Promise<readonly Submitted[]> {
  const given = JSON.stringify(
    writes.map(({ request_hash, document, ...write }) => ({
      ...write,
      request_hash: `\\x${request_hash.toString('hex')}`,
    })),
  );
  const isKeyed = writes.some(({ idempotency_key }) => idempotency_key !== null);
  const documents = writes.filter(({ document }) => document !== null);
  const [, submitted] = await pipelined(
    isKeyed ? freeKeys(db, given, keyHours) : undefined,
    insertWrites(db, given, maxWaiting),
    ...documents.map((write) => attachDocument(db, write)),
  );
  return submitted;
}
