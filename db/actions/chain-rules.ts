import * as v from 'valibot';
import { followedFields } from '../schema/chain.ts';
import { ALWAYS_FREE, PRICE_PERCENT, ROUNDINGS, wholeRules } from '../schema/chain-policy.ts';
import { records } from '../schema/registry.ts';
import { oneOfInput, plainNumber, requiredTextInput } from '../schema/validation/input-fields.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import {
  findRules,
  listBranches,
  listPriceLists,
  savePriceLists,
  saveRules,
} from '../sql/chains.ts';
import type { RestaurantAction } from './action.ts';

// Forms of a chain set the rules of dishes, and the prices of one house.

/** Percents as people type them; null for an empty text. */
const typedPercent = (min: number, max: number) =>
  v.pipe(
    v.nullable(v.string('text')),
    v.transform((text) => text?.replace('%', '').replace(',', '.').trim() || null),
    v.transform((text) => (text === null ? null : Number(text))),
    v.nullable(plainNumber(min, max)),
  );

/** The fields of dishes that a chain may keep to itself. */
export const LOCKABLE = followedFields(records.items).filter((name) => !ALWAYS_FREE.has(name));

const dishRulesInput = v.object({
  locked: v.array(v.picklist(LOCKABLE, 'invalid'), 'array'),
  bounded: typedPercent(0, 1_000),
});

/** Sets which fields of dishes are locked, and how far prices may be from the master's. */
export const setDishRules: RestaurantAction<typeof dishRulesInput, null> = {
  input: dishRulesInput,
  work: async (db, { tenantId }, { locked, bounded }) => {
    const own = await findRules(db, tenantId);
    const former = wholeRules(own).items ?? {};
    const items: typeof former = {};
    for (const name of LOCKABLE) {
      const rule = former[name];
      if (locked.includes(name)) items[name] = 'locked';
      else if (name === 'price' && bounded !== null) items[name] = { bounded };
      else if (name !== 'price' && typeof rule === 'object') items[name] = rule;
      else if (rule !== undefined) items[name] = 'free';
    }
    await saveRules(db, tenantId, { ...own, items });
    return null;
  },
};

const housePricesInput = v.object({
  branch: requiredTextInput(63),
  percent: typedPercent(PRICE_PERCENT.min, PRICE_PERCENT.max),
  rounding: oneOfInput(ROUNDINGS),
});

/** Sets the prices of one branch beside the master's; without a percentage they are the same. */
export const setHousePrices: RestaurantAction<typeof housePricesInput, null> = {
  input: housePricesInput,
  work: async (db, { tenantId }, { branch, percent: more, rounding }) => {
    const branches = await listBranches(db, tenantId);
    if (!branches.some(({ slug }) => slug === branch)) {
      throw new InvalidError({ percent: [broken('invalid')] });
    }
    const others = (await listPriceLists(db, tenantId)).filter((one) => one.branch !== branch);
    const own = more === null ? [] : [{ branch, percent: more, rounding }];
    await savePriceLists(db, tenantId, [...others, ...own]);
    return null;
  },
};
