import { holdsPrices, recordKey } from '../schema/chain.ts';
import { pricesOf, ruleOf } from '../schema/chain-policy.ts';
import type { Field } from '../schema/field.ts';
import { isSame, sentValue } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import type { Resource } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { currentOf } from './prepare-input.ts';

// The policy of a chain bars some changes of records that follow the master's.

/** The prices of a value with their paths, and what they are for. */
interface Priced {
  path: string;
  price: number;
  label: unknown;
}

function* pricesIn(
  { kind, parts }: Field,
  path: string,
  value: unknown,
  label: unknown = '',
): Generator<Priced> {
  if (kind === 'price') {
    if (typeof value === 'number') yield { path, price: value, label };
    return;
  }
  for (const [at, row] of rowsIn(value).entries()) {
    for (const [name, part] of Object.entries(parts ?? {})) {
      if (!holdsPrices(part)) continue;
      yield* pricesIn(part, `${path}.${at}.${name}`, row[name], [label, nameOf(row)]);
    }
  }
}

const nameOf = (row: Row) => row.label_translations ?? row.item_id ?? null;

/** The errors of prices that leave the bounds of those of the master. */
function boundErrors(
  field: Field,
  name: string,
  value: unknown,
  masters: readonly Priced[],
  { percent, price }: { percent: number; price: (of: number) => number },
): FieldErrors {
  const errors: FieldErrors = {};
  for (const one of pricesIn(field, name, value)) {
    const alike = masters.filter(({ label }) => isSame(label, one.label) || label === one.label);
    // A size that the master does not have may cost as much as its others.
    const prices = (alike.length > 0 ? alike : masters).map((other) => price(other.price));
    if (prices.length === 0) continue;
    const min = Math.round(Math.min(...prices) * (100 - percent)) / 100;
    const max = Math.round(Math.max(...prices) * (100 + percent)) / 100;
    if (one.price < min || one.price > max) {
      errors[one.path] = [broken('boundedByChain', { min, max })];
    }
  }
  return errors;
}

/** Whether an option of both rows says of its allergens something else. */
function changesAllergens(before: Row, after: Row): boolean {
  const known = rowsIn(before.options);
  return rowsIn(after.options).some((row) => {
    const former = known.find((one) => isSame(nameOf(one), nameOf(row)));
    return former !== undefined && !isSame(former.allergens, row.allergens);
  });
}

/**
 * The errors of a change that the policy of a chain does not allow.
 *
 * @param names the fields that change
 * @param written what the record would have besides
 */
export function chainErrors(
  { following, settings }: StoredMenu,
  resource: Resource,
  names: readonly string[],
  before: MenuRow,
  written: Row,
): FieldErrors {
  const follow = following?.follows.get(recordKey(resource, before.id));
  if (!following || !follow) return {};
  const after = { ...before, ...written };
  const record = records[resource];
  const errors: FieldErrors = {};
  for (const name of names) {
    const rule = ruleOf(following.rules, resource, name);
    if (rule === 'locked') errors[name] = [broken('lockedByChain')];
    const hasAllergens = resource === 'modifier_groups' && name === 'options';
    const areLocked = hasAllergens && ruleOf(following.rules, 'items', 'allergens') === 'locked';
    if (areLocked && changesAllergens(before, after)) errors[name] = [broken('lockedByChain')];
    if (typeof rule === 'string') continue;
    const { master } = following;
    const row = master ? currentOf(master, resource, follow.master_id) : undefined;
    const field = record.fields[name] as Field;
    if (!row || settings.currency !== master?.settings.currency) continue;
    const masters = [...pricesIn(field, name, sentValue(record, row, name))];
    const price = pricesOf(following.prices, settings.currency);
    const allowed = { percent: rule.bounded, price };
    Object.assign(
      errors,
      boundErrors(field, name, sentValue(record, after, name), masters, allowed),
    );
  }
  return errors;
}
