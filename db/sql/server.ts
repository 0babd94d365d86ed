import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

// Questions of an operator about a server: its version, its bounds, its clock and its standbys.

const versionSchema = v.object({
  version: v.string(),
  /** As `server_version_num` counts, so 180000 is 18.0. */
  number: v.number(),
  is_read_only: v.boolean(),
});

/** The version of the server, and whether its transactions take no changes by default. */
export function findServerVersion(db: Db) {
  return db.one(sql.type(versionSchema)`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('transaction_read_only')::bool as is_read_only
  `);
}

const roomSchema = v.object({
  /** Which bound it is. */
  name: v.string(),
  connections: v.number(),
});

/** Whether Postgres compiles the statements that it expects to be dear. */
export function compilesStatements(db: Db): Promise<boolean> {
  return db.one(sql.value(v.boolean())`select pg_jit_available() as compiles`);
}

const databaseSchema = v.object({ name: v.string(), role: v.string(), is_ours: v.boolean() });

/**
 * Lets new sessions compile no statements: those of the database where it is ours, else those of our
 * role in it. To compile one of ours takes a hundred times as long as to run it. Behind a pooler a
 * session cannot say so itself.
 */
export async function stopCompiling(db: Db): Promise<void> {
  const { name, role, is_ours } = await db.one(sql.type(databaseSchema)`
    select datname as name, session_user::text as role, pg_has_role(datdba, 'usage') as is_ours
    from pg_database where datname = current_database()
  `);
  const database = sql.identifier([name]);
  const whose = is_ours
    ? sql.fragment`database ${database}`
    : sql.fragment`role ${sql.identifier([role])} in database ${database}`;
  await db.run(sql.nothing`alter ${whose} set jit = off`);
}

/** The least of the bounds that hold for our connections; -1 is none, and a superuser has but one. */
export function findRoom(db: Db) {
  return db.one(sql.type(roomSchema)`
    select name, connections
    from pg_roles join pg_database on datname = current_database(), lateral (values
      ('max_connections', current_setting('max_connections')::int),
      ('The connection limit of the role', case when rolsuper then -1 else rolconnlimit end),
      ('The connection limit of the database', case when rolsuper then -1 else datconnlimit end)
    ) as room (name, connections)
    where rolname = session_user and connections >= 0
    order by connections limit 1
  `);
}

const ownerSchema = v.object({ owner: v.string(), is_ours: v.boolean() });

/** The role to which the tables belong, and whether ours has its rights; null without tables. */
export function findOwner(db: Db) {
  return db.maybeOne(sql.type(ownerSchema)`
    select relowner::regrole::text as owner, pg_has_role(relowner, 'usage') as is_ours
    from pg_class where oid = to_regclass('tenants')
  `);
}

const rightsSchema = v.object({ name: v.string(), rights: v.string() });

/** Rights that our role lacks: on our tables and the queue's, and on their schemas. */
export function findLackingRights(db: Db) {
  return db.any(sql.type(rightsSchema)`
    with ours as (
      select oid, nspname from pg_namespace
      where nspname = 'pgboss'
        or oid = (select relnamespace from pg_class where oid = to_regclass('tenants'))
    )
    select o.nspname || '.' || c.relname as name, string_agg(wanted, ', ') as rights
    from ours o join pg_class c on c.relnamespace = o.oid and c.relkind in ('r', 'p'),
      unnest(array['select', 'insert', 'update', 'delete']) as wanted
    where not has_table_privilege(c.oid, wanted)
    group by 1
    union all
    select 'the schema ' || nspname, string_agg(wanted, ', ')
    from ours, unnest(array['usage', 'create']) as wanted
    where not has_schema_privilege(oid, wanted) and (nspname <> 'pgboss' or wanted = 'usage')
    group by 1
    order by 1
  `);
}

const sequenceSchema = v.object({ name: v.string(), share: v.number() });

/** The sequence of ids that has given the largest share of its numbers; null for none. */
export function findFullestSequence(db: Db) {
  return db.maybeOne(sql.type(sequenceSchema)`
    select schemaname || '.' || sequencename as name, last_value::float8 / max_value as share
    from pg_sequences where last_value is not null and not cycle
    order by 2 desc limit 1
  `);
}

const missingSchema = v.object({ kind: v.picklist(['table', 'trigger']), name: v.string() });

/** Those of the tables and triggers that are not there, or switched off. */
export function findMissing(db: Db, tables: readonly string[], triggers: readonly string[]) {
  return db.any(sql.type(missingSchema)`
    select 'table' as kind, name from unnest(${sql.array(tables, 'text')}) as name
    where to_regclass(name) is null
    union all
    select 'trigger', name from unnest(${sql.array(triggers, 'text')}) as name
    where not exists (select from pg_trigger where tgname = name and tgenabled <> 'D')
  `);
}

const standingSchema = v.object({ system: v.string(), follows: v.boolean() });

/** Which system's data a server has, and whether it follows another server. */
export function findStanding(db: Db) {
  return db.one(sql.type(standingSchema)`
    select system_identifier::text as system, pg_is_in_recovery() as follows
    from pg_control_system()
  `);
}

/** The place in its log to which a primary has come. */
export function findLogPlace(primary: Db): Promise<string> {
  return primary.one(sql.value(v.string())`select pg_current_wal_lsn()::text as lsn`);
}

/** Bytes of the primary's log, as far as it has come to `place`, that the standby has yet to replay. */
export function countBytesBehind(standby: Db, place: string): Promise<number> {
  return standby.one(sql.value(v.number())`
    select greatest(0, pg_wal_lsn_diff(${place}, pg_last_wal_replay_lsn()))::float8 as bytes
  `);
}

/** Lets a session hear what is sent on a channel. */
export async function listenTo(session: Db, channel: string): Promise<void> {
  await session.run(sql.nothing`listen ${sql.identifier([channel])}`);
}

/** Sends an empty notice on a channel. */
export async function notify(db: Db, channel: string): Promise<void> {
  await db.run(sql.nothing`select from pg_notify(${channel}, ${''})`);
}

// The database of the embedded server, as its superuser makes it.

/**
 * Makes a database and the role that owns it, unless the database is there. The role is no
 * superuser: it cannot reach the server's files.
 *
 * @param name of both
 */
export async function createOwnDatabase(db: Db, name: string, password: string): Promise<void> {
  const has = await db.one(sql.value(v.boolean())`
    select exists (select from pg_database where datname = ${name}) as has
  `);
  if (has) return;
  const own = sql.identifier([name]);
  await db.run(sql.nothing`drop role if exists ${own}`);
  await db.run(
    sql.nothing`create role ${own} login createdb password ${sql.literalValue(password)}`,
  );
  await db.run(sql.nothing`create database ${own} owner ${own}`);
}

/** The directory that a server works in. */
export function findDataDirectory(db: Db): Promise<string> {
  return db.one(sql.value(v.string())`select current_setting('data_directory') as directory`);
}

const migrationSchema = v.object({ name: v.string(), checksum: v.string() });
/** A migration as it is written down. */
export type MigrationRow = v.InferOutput<typeof migrationSchema>;

/** Lets the statements of a session take as long as they need. */
export async function allowLongStatements(session: Db): Promise<void> {
  await session.run(sql.nothing`set statement_timeout = 0`);
}

/** Makes the table of the applied migrations, unless it is there. */
export async function createMigrationsTable(db: Db): Promise<void> {
  await db.run(sql.nothing`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `);
}

/** The checksums of the applied migrations by their names; empty without the table. */
export async function findApplied(db: Db): Promise<Map<string, string>> {
  const has = await db.one(sql.value(v.boolean())`
    select to_regclass('schema_migrations') is not null as has
  `);
  if (!has) return new Map();
  const applied = await db.any(sql.type(migrationSchema)`
    select name, checksum from schema_migrations
  `);
  return new Map(applied.map(({ name, checksum }) => [name, checksum]));
}

/** Writes down that a migration is applied, in the transaction that applies it. */
export async function saveApplied(tx: Db, { name, checksum }: MigrationRow): Promise<void> {
  await tx.run(sql.nothing`
    insert into schema_migrations (name, checksum) values (${name}, ${checksum})
  `);
}

/** The name of the session over which each worker listens. */
export const workerSession = 'lavagna listener';

/** The sessions of all workers; each lives as long as its worker does. */
const fromWorkers = sql.fragment`
  from pg_stat_activity
  where application_name = ${workerSession} and datname = current_database()
`;

/** Whether a worker runs. */
export function hasWorker(db: Db): Promise<boolean> {
  return db.one(sql.value(v.boolean())`select exists (select ${fromWorkers})`);
}

const placeSchema = v.object({
  /** How many workers there are. */
  count: v.number(),
  /** How many of them come before this one. */
  rank: v.number(),
});
export type WorkerPlace = v.InferOutput<typeof placeSchema>;

/** The place of the worker whose session this is. */
export function findWorkerPlace(session: Db): Promise<WorkerPlace> {
  return session.one(sql.type(placeSchema)`
    select count(*)::int4 as count,
      count(*) filter (where pid < pg_backend_pid())::int4 as rank ${fromWorkers}
  `);
}
