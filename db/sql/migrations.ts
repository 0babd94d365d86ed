import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

/** A migration as it is written down. */
export interface MigrationRow {
  name: string;
  checksum: string;
}

const migrationSchema = v.object({ name: v.string(), checksum: v.string() });

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
