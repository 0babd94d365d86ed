import { readFile } from 'node:fs/promises';
import type { Db } from '../../postgres/sql.ts';
import { findMissing } from '../../sql/server.ts';
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
export async function checkStructure(db: Db): Promise<Check> {
  const { tables, triggers } = await readStructure();
  const absent = await findMissing(db, [...tables], [...triggers]);
  if (absent.length === 0) {
    return good(NAME, `All ${tables.size} tables and ${triggers.size} triggers are there.`);
  }
  const missing = absent.map(({ kind, name }) => `the ${kind} ${name}`).join(', ');
  return bad(NAME, `Missing, or switched off: ${missing}.`, ADVICE);
}
