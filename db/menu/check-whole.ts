import type { Db } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { RecordType } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { currencyDecimals } from '../schema/values/currency.ts';
import { localize, readingIn, textsIn } from '../schema/values/locale.ts';
import { COLLECTIONS } from '../schema/values/resource.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { findQuota } from '../sql/restaurants.ts';
import { knowsTimeZone } from '../sql/tenants.ts';
import type { Draft } from './draft.ts';
import { growsBeyondBound } from './menu-size.ts';
import { menuFull, nameErrors, priceErrors } from './rules.ts';
import { listOf } from './working-menu.ts';

/** The most names of records that an error has. */
const MOST_NAMES = 5;

/**
 * How many errors records of a menu have, and the names of the first records that have some. A step is
 * one record.
 */
function* countErrors(
  menu: StoredMenu,
  errorsOf: (record: RecordType, row: MenuRow) => FieldErrors,
): Generator<void, { n: number; names: string }> {
  const reading = readingIn(menu.settings.fallback_locale);
  const names: string[] = [];
  let n = 0;
  for (const record of COLLECTIONS.map((name) => records[name])) {
    for (const row of listOf(menu, record)) {
      yield;
      const wrong = Object.keys(errorsOf(record, row)).length;
      n += wrong;
      const texts = textsIn(row.name_translations);
      if (wrong > 0 && names.length < MOST_NAMES) names.push(localize(texts, reading));
    }
  }
  return { n, names: names.join(', ') };
}

/**
 * The errors of settings that records of the menu do not fit: a currency with fewer decimals than
 * prices have, and another language that names must have, while some lack it.
 */
function* checkSettings({ before, menu }: Draft): Generator<void, FieldErrors> {
  const { currency, fallback_locale: fallback } = menu.settings;
  const max = currencyDecimals(currency);
  const errors: FieldErrors = {};
  if (max < currencyDecimals(before.settings.currency)) {
    const found = yield* countErrors(menu, ({ fields }, row) => priceErrors(fields, row, currency));
    if (found.n > 0) errors['settings.currency'] = [broken('currencyPrices', { max, ...found })];
    const own = priceErrors(records.settings.fields, { ...menu.settings }, currency);
    for (const [name, rules] of Object.entries(own)) errors[`settings.${name}`] = rules;
  }
  if (fallback !== before.settings.fallback_locale) {
    const found = yield* countErrors(menu, ({ fields }, row) => nameErrors(fields, row, fallback));
    if (found.n > 0) errors['settings.fallback_locale'] = [broken('namesLack', found)];
  }
  return errors;
}

/** A menu that has more dishes than its quota may still lose some. */
async function checkQuota(db: Db, tenantId: number, { before, menu }: Draft): Promise<FieldErrors> {
  if (menu.dishes.length <= before.dishes.length) return {};
  const max = await findQuota(db, tenantId, 'max_dishes');
  if (max === null || menu.dishes.length <= max) return {};
  return { dishes: [broken('quota', { max })] };
}

/** The errors of the menu as a whole, after all operations. */
export async function checkWhole(db: Db, tenantId: number, draft: Draft): Promise<FieldErrors> {
  const { before, menu } = draft;
  const isFull = await inSlices(growsBeyondBound(draft));
  const full = { ...(isFull && menuFull()), ...(await checkQuota(db, tenantId, draft)) };
  if (menu.settings === before.settings) return full;
  const { timezone } = menu.settings;
  const isKnown = timezone === before.settings.timezone || (await knowsTimeZone(db, timezone));
  return {
    ...full,
    ...(await inSlices(checkSettings(draft))),
    ...(!isKnown && { 'settings.timezone': [broken('invalid')] }),
  };
}
