import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { migrationFiles } from '../database/migrate.ts';
import { bad, type Check, good } from './check.ts';

const NAME = 'structure';
const ADVICE = 'Restore it from a backup, or create it as its migration does.';

/** Tables and triggers, each by its name. */
interface Structure {
  tables: Set<string>;
  triggers: Set<string>;
}

/** A statement that makes or drops a table or a trigger. */
const STATEMENT = new RegExp(
  '^\\s*(create|drop)\\s+(?:or\\s+replace\\s+)?(?:unlogged\\s+|constraint\\s+)?(table|trigger)' +
    '\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(\\w+)',
  'gim',
);
const RENAMED = /^\s*alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+)/gim;

/** The structure that the migrations give to an empty database. */
export async function readStructure(): Promise<Structure> {
  const structure: Structure = { tables: new Set(), triggers: new Set() };
  for (const file of await migrationFiles()) {
    const text = await readFile(file, 'utf8');
    for (const [, verb = '', kind = '', name = ''] of text.matchAll(STATEMENT)) {
      const names = kind.toLowerCase() === 'table' ? structure.tables : structure.triggers;
      names[verb.toLowerCase() === 'create' ? 'add' : 'delete'](name);
    }
    for (const [, before = '', now = ''] of text.matchAll(RENAMED)) {
      if (structure.tables.delete(before)) structure.tables.add(now);
    }
  }
  return structure;
}

/** Whether the tables and triggers are there that the applied migrations made. */
export async function checkStructure(client: pg.Client): Promise<Check> {
  const { tables, triggers } = await readStructure();
  const { rows } = await client.query<{ kind: string; name: string }>(
    `select 'table' as kind, name from unnest($1::text[]) as name where to_regclass(name) is null
     union all
     select 'trigger', name from unnest($2::text[]) as name
     where not exists (select from pg_trigger where tgname = name and tgenabled <> 'D')`,
    [[...tables], [...triggers]],
  );
  if (rows.length === 0) {
    return good(NAME, `All ${tables.size} tables and ${triggers.size} triggers are there.`);
  }
  const missing = rows.map(({ kind, name }) => `the ${kind} ${name}`).join(', ');
  return bad(NAME, `Missing, or switched off: ${missing}.`, ADVICE);
}
