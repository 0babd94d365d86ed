import {
  type ChainReading,
  createCounterparts,
  readingOf,
  takenFields,
  valuesFor,
} from '../../db/chain/values.ts';
import { applyChange, type Changed } from '../../db/menu/change.ts';
import type { Draft } from '../../db/menu/draft.ts';
import { planOwn } from '../../db/menu/plan-own.ts';
import { currentOf } from '../../db/menu/prepare-input.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Follow, recordKey } from '../../db/schema/chain.ts';
import type { RecordType } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { listIn } from '../../db/schema/values/row.ts';
import type { RecordWrite } from '../../db/schema/write.ts';
import { saveOwnFields } from '../../db/sql/chains.ts';
import type { MenuRow, StoredMenu } from '../../db/sql/menus.ts';
import { loadMaster } from './masters.ts';

/** The record whose fields were given back, and the menu with the master's values. */
type GivenBack = Pick<Changed, 'menu' | 'record'>;

type Refusal = { errors: FieldErrors };

const refusal = (field: string, rule: 'invalid' | 'otherCurrency'): Refusal => ({
  errors: { [field]: [broken(rule)] },
});

/** The fields to give back: those that are asked for, else all own ones that the master has. */
function fieldsOf(
  reading: ChainReading,
  record: RecordType,
  { own_fields: own }: Follow,
  asked: unknown,
): string[] | Refusal {
  const taken = takenFields(reading, record);
  if (!Array.isArray(asked) || asked.length === 0) return taken.filter((name) => name in own);
  const names = listIn(asked).map(String);
  const wrong = names.findIndex((name) => !taken.includes(name));
  if (wrong < 0) return names;
  const isPrice = record.fields[names[wrong] ?? ''] !== undefined && reading.price === null;
  return refusal(`fields.${wrong}`, isPrice ? 'otherCurrency' : 'invalid');
}

/**
 * Gives fields of a branch's record back to the master: they have the master's present values, and
 * follow them from then on.
 */
export async function giveBack(
  db: Db,
  { tenant_id: tenantId, resource, record_id, input }: RecordWrite,
  { following, ...menu }: StoredMenu,
): Promise<GivenBack | Refusal> {
  const record = records[resource];
  const current = currentOf(menu, resource, record_id) as MenuRow;
  const follow = following?.follows.get(recordKey(resource, current.id));
  if (!following || !follow) return refusal('fields', 'invalid');
  const master = await loadMaster(db, following.masterId);
  const row = currentOf(master, resource, follow.master_id);
  if (!row) return refusal('fields', 'invalid');
  const counterparts = createCounterparts(following.follows.values());
  const reading = readingOf(menu, master, counterparts, following.prices);
  const names = fieldsOf(reading, record, follow, input.fields);
  if (!Array.isArray(names)) return names;
  const isOwn = (name: string) => name in follow.own_fields && !names.includes(name);
  const values = valuesFor(reading, record, row, current, isOwn);
  const data = Object.fromEntries(names.map((name) => [name, values[name]]));
  const id = record.isSingleton ? undefined : current.id;
  const operation = { resource, action: 'update', id, data };
  const steps = (draft: Draft) => planOwn(draft, operation);
  const tried = await applyChange(db, tenantId, menu, steps, { isDryRun: true });
  const errors = { ...tried.errors, ...tried.results[0]?.errors };
  if (Object.keys(errors).length > 0) return { errors };
  // Before the record is read back.
  const given = { resource, id: current.id, own: [], follows: names };
  await saveOwnFields(db, tenantId, [given], menu.version + 1);
  const { menu: after, record: shown } = await applyChange(db, tenantId, menu, steps, {
    isShown: true,
  });
  return { menu: after, record: shown };
}
