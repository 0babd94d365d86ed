import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { COLLECTIONS, type Resource, records } from '../schema/registry.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { currencyDecimals } from '../schema/values/currency.ts';
import { localize, readingIn, type Translations } from '../schema/values/locale.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { knowsTimeZone } from '../sql/tenants.ts';
import type { Draft } from './draft.ts';
import { growsBeyondBound } from './menu-size.ts';
import { menuFull, priceErrors } from './rules.ts';
import { listOf } from './working-menu.ts';

/** The most names of records that an error has. */
const MOST_NAMES = 5;

/**
 * The error of a currency with fewer decimals than the one before, while prices of the menu have more.
 * A step is one record.
 */
function* checkCurrency(before: StoredMenu, after: StoredMenu): Generator<void, FieldErrors> {
  const { currency, fallback_locale: fallback } = after.settings;
  const max = currencyDecimals(currency);
  if (max >= currencyDecimals(before.settings.currency)) return {};
  const names: string[] = [];
  let n = 0;
  for (const record of COLLECTIONS.map((name) => records[name])) {
    for (const row of listOf(after, record)) {
      yield;
      const wrong = Object.keys(priceErrors(record.fields, row, currency)).length;
      n += wrong;
      const texts = (row.name_translations ?? {}) as Translations;
      if (wrong > 0 && names.length < MOST_NAMES) names.push(localize(texts, readingIn(fallback)));
    }
  }
  if (n === 0) return {};
  return { 'settings.currency': [broken('currencyPrices', { max, n, names: names.join(', ') })] };
}

/** The errors of the menu as a whole, after all operations. */
export async function checkWhole(db: Db, draft: Draft): Promise<FieldErrors> {
  const timezone = draft
    .changes()
    .patched.get('settings' as Resource)
    ?.get(0)?.timezone;
  const isKnown =
    typeof timezone !== 'string' ||
    timezone === draft.before.settings.timezone ||
    (await knowsTimeZone(db, timezone));
  return {
    ...((await inSlices(growsBeyondBound(draft), constants.writeSlice)) && menuFull()),
    ...(await inSlices(checkCurrency(draft.before, draft.menu), constants.writeSlice)),
    ...(!isKnown && { 'settings.timezone': [broken('invalid')] }),
  };
}
