import * as v from 'valibot';
import { nameInMenu } from '../history/difference.ts';
import { currentOf } from '../menu/prepare-input.ts';
import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import { DELETED, recordKey, shadowedSchema } from '../schema/chain.ts';
import { documentedValue, documentValue } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { described } from '../schema/validation/described-as.ts';
import { type ChainBranch, listOwnFields, loadFollowing } from '../sql/chains.ts';
import { loadMenu, type StoredMenu } from '../sql/menus.ts';
import { createCounterparts, readingOf, valuesFor } from './values.ts';

/** A field that is a branch's own, whatever value it has. */
export const deviationSchema = v.object({
  branch: described(v.string(), 'The slug of the branch.'),
  ...shadowedSchema.entries,
  by: described(
    v.nullable(v.string()),
    'Who made it the branch’s own; null for an operator, and when it is not kept.',
  ),
  at: described(v.string(), 'Since when it is.'),
});
export type Deviation = v.InferOutput<typeof deviationSchema>;

/** The own fields of branches beside the values that their master has for them, as of one moment. */
export function listDeviations(
  database: Pick<Database, 'moment'>,
  masterId: number,
  branches: readonly Pick<ChainBranch, 'id' | 'slug' | 'deviations'>[],
): Promise<Deviation[]> {
  return database.moment(async (db) => {
    const master = await loadMenu(db, masterId);
    const lists: Deviation[][] = [];
    for (const one of branches) {
      if (one.deviations > 0) lists.push(await deviationsOf(db, one, masterId, master));
    }
    return lists.flat();
  });
}

async function deviationsOf(
  db: Db,
  { id: tenantId, slug }: Pick<ChainBranch, 'id' | 'slug'>,
  masterId: number,
  master: StoredMenu,
): Promise<Deviation[]> {
  const fields = await listOwnFields(db, tenantId);
  if (fields.length === 0) return [];
  const menu = await loadMenu(db, tenantId);
  const { follows, prices } = await loadFollowing(db, tenantId, masterId);
  const reading = readingOf(menu, master, createCounterparts(follows.values()), prices);
  return fields.map(({ resource, id, field: name, at, by }): Deviation => {
    const follow = follows.get(recordKey(resource, id));
    const [row, own] = [
      follow && currentOf(master, resource, follow.master_id),
      currentOf(menu, resource, id),
    ];
    const shown = own ?? row;
    const place = {
      ...{ branch: slug, resource, id, field: name, at, by },
      name: shown ? nameInMenu(shown, menu.settings.default_locale) : null,
    };
    const record = records[resource];
    const field = record.fields[name];
    if (name === DELETED || !field) return { ...place, own: own ? null : at, master: null };
    const isOwn = (one: string) => one in (follow?.own_fields ?? {});
    const values = row && own ? valuesFor(reading, record, row, own, isOwn) : null;
    const value = values ? values[name] : (row?.[name] ?? null);
    return {
      ...place,
      own: own ? documentedValue(record, own, name) : null,
      master: value === null ? null : documentValue(field, value),
    };
  });
}
