import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

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
