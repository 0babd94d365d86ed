import * as v from 'valibot';
import { followedFields, holdsPrices } from './chain.ts';
import type { Field } from './field.ts';
import { records } from './registry.ts';
import { described } from './validation/described-as.ts';
import { oneOfInput, plainNumber, requiredTextInput } from './validation/input-fields.ts';
import { broken, type FieldErrors, type RuleName } from './validation/rule.ts';
import { currencyDecimals } from './values/currency.ts';
import { isResource, type Resource } from './values/resource.ts';

// The policy of a master: the changes that it allows its branches, and their prices.

const WORDS = ['free', 'locked'] as const;

/** The rule of a field: branches may do anything, nothing, or other prices within so many percent. */
const fieldRuleSchema = v.union(
  [
    v.picklist(WORDS),
    v.strictObject({
      bounded: described(plainNumber(0, 1_000), 'So many percent more or less.'),
    }),
  ],
  'invalid',
);
type FieldRule = v.InferOutput<typeof fieldRuleSchema>;

/** Rounding of a price list: to such steps, or to prices that end so; `none` to the smallest coin. */
export const ROUNDINGS = ['none', '0.05', '0.10', '0.50', '1.00', '.90'] as const;

/** The least and the greatest percentage of a price list. */
export const PRICE_PERCENT = { min: -90, max: 1_000 };

/** The prices of a branch beside the master's. */
export interface PriceList {
  percent: number;
  rounding: (typeof ROUNDINGS)[number];
}

const fieldRules = described(
  v.record(v.string(), v.record(v.string(), fieldRuleSchema, 'object'), 'object'),
  'What branches may do with fields, by collection and field: `free`, `locked`, or for prices ' +
    '`{"bounded": 10}`, up to so many percent more or less. Fields that are not named are free, but ' +
    'for allergens, traces, additives and origins.',
);

const priceLists = described(
  v.array(
    v.object({
      branch: described(requiredTextInput(63), 'The slug of the branch.'),
      percent: described(
        plainNumber(PRICE_PERCENT.min, PRICE_PERCENT.max),
        'What its prices have more than the master’s, in percent; less below 0.',
      ),
      rounding: described(
        v.optional(oneOfInput(ROUNDINGS), 'none'),
        'The steps of its prices, or how they end; `none`: the smallest coin.',
      ),
    }),
    'array',
  ),
  'Branches with other prices: computed at each publication, and stored as prices.',
);

/** The body of a policy: a part that is not sent stays. */
export const policyInput = v.object({
  fields: v.optional(fieldRules),
  price_lists: v.optional(priceLists),
});

export const policySchema = v.object({ fields: fieldRules, price_lists: priceLists });
export type Policy = v.InferOutput<typeof policySchema>;

export type FieldRules = v.InferOutput<typeof fieldRules>;

const DEFAULTS: FieldRules = {
  items: {
    ...{ allergens: 'locked', traces: 'locked', allergen_detail: 'locked' },
    ...{ additives: 'locked', origins: 'locked' },
  },
};

/** Fields that no policy locks: each house decides what guests see, and in which order. */
export const ALWAYS_FREE: ReadonlySet<string> = new Set([
  ...['is_active', 'visible_from', 'visible_until', 'display_order'],
]);

/** The rules of a master, with those that hold by default. */
export function wholeRules(own: FieldRules): FieldRules {
  const resources = new Set([...Object.keys(DEFAULTS), ...Object.keys(own)]);
  return Object.fromEntries(
    [...resources].map((resource) => [resource, { ...DEFAULTS[resource], ...own[resource] }]),
  );
}

/** The rule of a field. */
export function ruleOf(rules: FieldRules, resource: Resource, field: string): FieldRule {
  return rules[resource]?.[field] ?? 'free';
}

/** Whether a broken rule is one of a master's policy. */
export function isOfChain(name: RuleName): boolean {
  return name === 'lockedByChain' || name === 'boundedByChain';
}

/** Whether rules compare prices with the master's. */
export function hasBounds(rules: FieldRules): boolean {
  return Object.values(rules).some((fields) =>
    Object.values(fields).some((one) => typeof one === 'object'),
  );
}

/** The errors of rules: fields that no branch follows, or that are always free. */
export function ruleErrors(rules: FieldRules): FieldErrors {
  const errors: FieldErrors = {};
  for (const [resource, fields] of Object.entries(rules)) {
    if (!isResource(resource)) {
      errors[`fields.${resource}`] = [broken('invalid')];
      continue;
    }
    const record = records[resource];
    for (const [name, given] of Object.entries(fields)) {
      const path = `fields.${resource}.${name}`;
      const isFollowed = followedFields(record).includes(name);
      const isKept = given !== 'free' && ALWAYS_FREE.has(name);
      const field = record.fields[name] as Field | undefined;
      const isPriceless = typeof given === 'object' && !(field && holdsPrices(field));
      if (!isFollowed || isKept || isPriceless) errors[path] = [broken('invalid')];
    }
  }
  return errors;
}

/** A number without the dust of its binary form. */
const clean = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** A price that ends in 90 hundredths and is the nearest one. */
const endingIn90 = (price: number) => Math.round(price - 0.9) + 0.9;

function rounded(price: number, rounding: PriceList['rounding']): number {
  if (rounding === 'none') return price;
  if (rounding === '.90') return endingIn90(price);
  const step = Number(rounding);
  return Math.round(clean(price / step, 6)) * step;
}

/**
 * Makes the prices of a branch of its master's. A price of 0 stays one, and no other becomes one.
 *
 * @param currency of both
 */
export function pricesOf(list: PriceList | null, currency: string): (price: number) => number {
  if (!list) return (price) => price;
  const decimals = currencyDecimals(currency);
  return (price) => {
    if (price === 0) return 0;
    const exact = clean(price * (1 + list.percent / 100), 6);
    const done = clean(rounded(exact, list.rounding), decimals);
    return done > 0 ? done : clean(exact, decimals);
  };
}
