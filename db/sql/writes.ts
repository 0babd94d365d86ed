import * as v from 'valibot';
import {
  column,
  type Db,
  type Fragment,
  limited,
  pipelined,
  type Statement,
  sql,
  textColumn,
} from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { MAX_NOTICE_BYTES, type WriteNotice, writesChannel } from '../schema/notices.ts';
import {
  type NewWrite,
  type Write,
  type WriteOutcome,
  type WriteResult,
  writeResultSchema,
  writeSchema,
} from '../schema/write.ts';

const submittedSchema = v.object({
  id: v.string(),
  inserted: v.boolean(),
  /** Whether as many of the tenant's writes wait as may. */
  full: v.boolean(),
});
export type Submitted = v.InferOutput<typeof submittedSchema>;

/** Takes keys of finished writes away that are older than `keyHours`: they may be used again. */
function freeKeys(db: Db, given: Fragment, keyHours: number): Promise<void> {
  return db.run(sql.nothing`
    with old as (
      select w.tenant_id, w.id
      from writes w join ${given} n
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

/** Lets the present commit be answered before it is on disk. */
const withoutFlush = sql.fragment`
  left join set_config('synchronous_commit', 'off', true) on true
`;

function insertWrites(
  db: Db,
  given: Fragment,
  { maxWaiting, isFlushed }: Omit<Submission, 'keyHours'>,
): Promise<readonly Submitted[]> {
  return db.any(sql.type(submittedSchema)`
    with given as (
      select n.*, row_number() over (partition by tenant_id order by id) as place
      from ${given} n
    ), waiting as (
      select tenant_id, count(*) as count from writes
      where finished_at is null and tenant_id in (select tenant_id from given)
      group by tenant_id
    ), placed as (
      select g.*, g.place + coalesce(w.count, 0) > ${maxWaiting} as is_full
      from given g left join waiting w on w.tenant_id = g.tenant_id
    ), inserted as (
      insert into writes (tenant_id, id, token_id, resource, action, record_id, record_key, input,
        expected_tags, idempotency_key, request_hash, ignored, origin, confirmed_by, batch)
      select tenant_id, id, token_id, resource, action, record_id, record_key, input, expected_tags,
        idempotency_key, request_hash, ignored, origin, confirmed_by, (select nextval('writes_batch'))
      from placed where not is_full order by tenant_id, token_id, idempotency_key
      on conflict (tenant_id, token_id, idempotency_key) where idempotency_key is not null
        do nothing
      returning tenant_id, id
    )
    select p.id, i.id is not null as inserted, p.is_full as full
    from placed p left join inserted i on i.tenant_id = p.tenant_id and i.id = p.id
      ${isFlushed ? sql.fragment`` : withoutFlush}
  `);
}

/** As a parameter of its own: as a part of the others' JSON a large one would take twice the room. */
function attachDocument(db: Db, { tenant_id, id, document }: NewWrite): Promise<void> {
  return db.run(sql.nothing`
    update writes set document = ${sql.binary(document as Buffer)}
    where tenant_id = ${tenant_id} and id = ${id}
  `);
}

/** How writes are recorded. */
interface Submission {
  /** Writes that may wait before a new one of the same tenant. */
  maxWaiting: number;
  /** After how many hours an idempotency key is free again. */
  keyHours: number;
  /** False: a crash of Postgres in the next moments may undo the commit, wholly. See `secureWrites`. */
  isFlushed: boolean;
}

/**
 * Records writes that are to be done, in the order of their ids behind all that were recorded before,
 * and says of each whether it was: not when as many of the tenant wait as may, nor when its idempotency
 * key is taken. All gateways take keys in the same order, so that they never wait for
 * each other in a circle.
 */
export async function submitWrites(
  db: Db,
  writes: readonly NewWrite[],
  { keyHours, ...submission }: Submission,
): Promise<readonly Submitted[]> {
  const rows = JSON.stringify(
    writes.map(({ request_hash, document, ...write }) => ({
      ...write,
      request_hash: `\\x${request_hash.toString('hex')}`,
    })),
  );
  const records = sql.fragment`jsonb_populate_recordset(null::writes, ${rows}::jsonb)`;
  const given = limited(records, writes.length);
  const isKeyed = writes.some(({ idempotency_key }) => idempotency_key !== null);
  const documents = writes.filter(({ document }) => document !== null);
  const [, submitted] = await pipelined(
    isKeyed ? freeKeys(db, given, keyHours) : undefined,
    insertWrites(db, given, submission),
    ...documents.map((write) => attachDocument(db, write)),
  );
  return submitted;
}

const keyedWriteSchema = v.object({ id: v.string(), request_hash: v.instance(Buffer) });

/** The write that a token sent under an idempotency key, or null. */
export function findWriteByKey(
  db: Db,
  write: Pick<NewWrite, 'tenant_id' | 'token_id' | 'idempotency_key'>,
) {
  return db.maybeOne(sql.type(keyedWriteSchema)`
    select id, request_hash from writes
    where tenant_id = ${write.tenant_id} and token_id = ${write.token_id}
      and idempotency_key = ${write.idempotency_key}
  `);
}

const columns = sql.columnsOf(writeSchema);

/**
 * The next writes of each tenant in the order in which they were sent, as many as share a rebuild,
 * without their documents. The tenants' rows must be locked, so that no other worker does them.
 */
export function takeWrites(db: Db, tenantIds: readonly number[]): Promise<readonly Write[]> {
  return db.any(sql.type(writeSchema)`
    select w.* from unnest(${sql.array(tenantIds, 'int4')}) as tenant (id), lateral (
      select ${columns}, batch from writes
      where tenant_id = tenant.id and finished_at is null
      order by batch, id
      limit ${constants.maxWritesPerRebuild}
    ) w
    order by w.tenant_id, w.batch, w.id
  `);
}

/**
 * Bytes of a document in one row. pg holds a row in a buffer that doubles, and as a text twice as long.
 */
const PORTION_BYTES = 262_144;

const portionSchema = v.object({ place: v.number(), bytes: v.instance(Buffer) });

/** The body of a write of a whole menu, as it was sent. */
export async function findDocument(db: Db, tenantId: number, id: string): Promise<Buffer> {
  const portions = await db.any(sql.type(portionSchema)`
    with whole as materialized (
      select document || ''::bytea as document from writes
      where tenant_id = ${tenantId} and id = ${id} and document is not null
    )
    select place, substring(document from place for ${PORTION_BYTES}::int) as bytes
    from whole, generate_series(1, length(document), ${PORTION_BYTES}::int) as place
  `);
  const inOrder = portions.toSorted((left, right) => left.place - right.place);
  return Buffer.concat(inOrder.map(({ bytes }) => bytes));
}

/** A result with what only the operator reads. */
export interface FinishedWrite extends WriteResult {
  outcome: WriteOutcome;
  error: string | null;
}

/** The writes of a tenant that are finished together; at least one. */
interface FinishedWrites {
  tenantId: number;
  results: readonly FinishedWrite[];
}

/** The rows of a tenant's results as JSON, and the notice of them with the outcomes and without. */
function describe({ tenantId, results }: FinishedWrites) {
  const rows = results
    .map((result) => JSON.stringify({ tenant_id: tenantId, ...result }))
    .join(',');
  const version = Math.max(...results.map((result) => result.version));
  const notice: WriteNotice = { tenant_id: tenantId, ids: results.map(({ id }) => id), version };
  const brief = JSON.stringify(notice);
  // Gateways pass over what only a row has.
  const whole = `${brief.slice(0, -1)},"outcomes":[${rows}]}`;
  const isLong = rows.length > MAX_NOTICE_BYTES || Buffer.byteLength(whole) > MAX_NOTICE_BYTES;
  return { rows, brief, whole: isLong ? brief : whole };
}

/**
 * The statement that finishes writes of tenants, and tells the gateways when it is committed: in a
 * notice for each tenant.
 *
 * Postgres sends notices, too, when somebody cancels the commit's wait for a synchronous standby.
 * So where there is one they have no outcomes: gateways look them up, and that look-up waits.
 */
export function saveResultsStatement(finished: readonly FinishedWrites[]): Statement {
  const described = finished.map(describe);
  const rows = `[${described.map((one) => one.rows).join(',')}]`;
  const records = sql.fragment`
    json_to_recordset(${rows}::json) as record (tenant_id int, id uuid, record_id int, outcome json,
      version bigint, error text)
  `;
  const given = limited(records, finished.flatMap(({ results }) => results).length);
  return sql.nothing`
    with finished as (
      update writes w set finished_at = now(), record_id = n.record_id, outcome = n.outcome,
        version = n.version, error = n.error, document = null
      from ${given} n
      where w.tenant_id = n.tenant_id and w.id = n.id
    )
    select from unnest(
      ${textColumn(described, ({ whole }) => whole)},
      ${textColumn(described, ({ brief }) => brief)}
    ) as notice (whole, brief), pg_notify(${writesChannel},
      case current_setting('synchronous_standby_names') when '' then whole else brief end)
  `;
}

export interface WriteKey {
  tenantId: number;
  id: string;
}

const rowsOf = (keys: readonly WriteKey[]) => sql.fragment`unnest(
  ${column(keys, ({ tenantId }) => tenantId, 'int4')}, ${column(keys, ({ id }) => id, 'uuid')}
)`;

const foundSchema = v.object({
  tenant_id: v.number(),
  id: v.string(),
  token_id: v.number(),
  /** JSON; null while the write waits. */
  result: v.nullable(v.string()),
  /** Paths of fields of its request that had no meaning. */
  ignored: v.array(v.string()),
});
type FoundRow = v.InferOutput<typeof foundSchema>;
export interface FoundWrite extends Omit<FoundRow, 'result'> {
  /** Null while the write waits. */
  result: WriteResult | null;
}

/** Writes with their results: to read that of thousands of records, or to check it, takes a step. */
function* withResults(rows: readonly FoundRow[]): Generator<void, FoundWrite[]> {
  const found: FoundWrite[] = [];
  for (const { result: text, ...row } of rows) {
    const read: unknown = text === null ? null : JSON.parse(text);
    yield;
    const result = read === null ? null : v.parse(writeResultSchema, read);
    found.push({ ...row, result });
    yield;
  }
  return found;
}

/**
 * Those of the writes that exist, with their results where they have one. A result is safe when this
 * resolves: its commit is seen although its wait for a synchronous standby was cancelled, so this one
 * waits in its place, as `secureWrites` does. Where no write has a result it waits for nothing.
 */
export async function findWriteResults(db: Db, keys: readonly WriteKey[]) {
  const rows = await db.any(sql.prepared('find-write-results', foundSchema)`
    with found as materialized (
      select tenant_id, id, token_id, ignored, case when finished_at is not null then
        json_build_object('id', id, 'resource', resource, 'record_id', record_id, 'version', version,
          'outcome', outcome)::text end as result
      from writes
      where (tenant_id, id) in (select * from ${rowsOf(keys)})
    ), message as materialized (
      select pg_logical_emit_message(true, 'lavagna', '')
      where exists (select from found where result is not null)
    )
    select found.* from found left join message on true
  `);
  return inSlices(withResults(rows));
}

/**
 * The ids of those writes that are there, and on disk when this resolves, though their own commit did
 * not wait for that. A message in the write-ahead log, without a reader, is the smallest transaction
 * that waits. One that is missing was lost: Postgres has crashed since it was sent, or failed over.
 */
export async function secureWrites(db: Db, keys: readonly WriteKey[]) {
  const secured = await db.any(sql.value(v.string())`
    with message as materialized (select pg_logical_emit_message(true, 'lavagna', ''))
    select w.id from message, writes w
    join ${rowsOf(keys)} as asked (tenant_id, id)
      on w.tenant_id = asked.tenant_id and w.id = asked.id
  `);
  return new Set(secured);
}
