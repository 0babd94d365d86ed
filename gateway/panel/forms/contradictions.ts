import { allergens } from '../../../db/schema/dictionary.ts';
import { currencyDecimals } from '../../../db/schema/values/currency.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import type { Say } from '../../../db/texts/say.ts';
import {
  type FormDraft,
  type FormPlace,
  NO_PRICE,
  one,
  type Pricing,
  writePrice,
} from './draft.ts';
import { readPrice, readVariants } from './read-draft.ts';

// Some controls decide whether others count: a radio above a date, sizes beside a price. Saving such a
// form would drop one of the two, so it is refused with words. Values that were there when the form was
// opened are no contradiction: to turn a switch off is one change, and its values go with it or stay.

/** The values of a form, and those that it had when it was opened. */
interface Drafts {
  own: FormDraft;
  base: FormDraft;
}

const answer = (draft: FormDraft, key: string) => one(draft, `allergen.${key}`);
const isDeclared = (draft: FormDraft) => one(draft, 'allergens.declared') === '1';
const openKeys = (draft: FormDraft) => allergens.keys.filter((key) => answer(draft, key) === '');

/**
 * A draft of a dish in which each allergen has the answer that its form gives: "all the others" answers
 * for those that are open. A declaration that is taken back or forgotten on purpose has no answers.
 */
export function settleAllergens({ own, base }: Drafts): FormDraft {
  const isSame = allergens.keys.every((key) => answer(own, key) === answer(base, key));
  const isTakenBack = !isDeclared(own) && isDeclared(base) && isSame;
  if (isTakenBack || (!isDeclared(own) && one(own, 'allergens.forget') === '1')) {
    return new Map(
      [...own].filter(([name]) => !/^(allergen\.|allergens\.(rest|forget)$)/.test(name)),
    );
  }
  if (!isDeclared(own) || one(own, 'allergens.rest') !== '1') return own;
  return new Map([
    ...own,
    ...openKeys(own).map((key): [string, string[]] => [`allergen.${key}`, ['no']]),
  ]);
}

/** Only a declared dish has answers, apart from a trace that a program has noted. */
function allergenErrors(say: Say, { own, base }: Drafts) {
  if (isDeclared(own)) {
    const open = openKeys(own).map((key) => say(allergens.label(key)));
    return open.length > 0 && { allergens: say('contradictions.open', { names: open.join(', ') }) };
  }
  const isVoid = (key: string) => {
    const [now, before] = [answer(own, key), answer(base, key)];
    return now !== '' && now !== before && !(now === 'no' && before === 'may');
  };
  const hasRest = one(own, 'allergens.rest') === '1';
  return (
    (hasRest || allergens.keys.some(isVoid)) && { allergens: say('contradictions.undeclared') }
  );
}

function momentErrors(say: Say, { own, base }: Drafts) {
  const [at, before] = [one(own, 'sold_out_until.at'), one(base, 'sold_out_until.at')];
  const isUntil = one(own, 'sold_out_until') === 'until';
  if (isUntil) return at === '' && { sold_out_until: say('contradictions.momentMissing') };
  return at !== '' && at !== before && { sold_out_until: say('contradictions.moment') };
}

/** The price of a dish with sizes is the lowest of them; another one that is typed would be dropped. */
function priceErrors(say: Say, { own, base }: Drafts, place: FormPlace) {
  if (one(own, NO_PRICE) === '1' && one(own, 'price').trim() !== '') {
    return { price: say('contradictions.noPrice') };
  }
  const sizes = readVariants(own, place).map(({ price }) => Number(price));
  const lowest = Math.min(...sizes);
  if (sizes.length === 0 || !Number.isFinite(lowest)) return null;
  const [typed, before] = [own, base].map((draft) =>
    readPrice(one(draft, 'price'), place.currency),
  );
  const hadSizes = readVariants(base, place).length > 0;
  const isFine = typed === before || (typed === '' ? !hadSizes : Number(typed) === lowest);
  return !isFine && { price: say('contradictions.price', { price: writePrice(lowest, place) }) };
}

const HOUR = /^hours\.\d+\.time_(start|end)$/;

/** Times count only where the switch is on, and then each window has them. */
function hoursErrors(say: Say, { own, base }: Drafts) {
  if (one(own, 'time_visibility_enabled') === '1') {
    const hasHours = [...own].some(([name, [value]]) => HOUR.test(name) && value);
    return !hasHours && { 'hours.0.time_start': say('rules.required') };
  }
  const isVoid = ([name, [value]]: [string, readonly string[]]) =>
    HOUR.test(name) && value && value !== one(base, name);
  const name = [...own].find(isVoid)?.[0];
  return name !== undefined && { [name]: say('contradictions.hours') };
}

/** A winery is added by its own button: saving the wine would drop its name. */
function wineryErrors(say: Say, { own }: Drafts) {
  return one(own, 'winery_id.new') !== '' && { 'winery_id.new': say('contradictions.winery') };
}

/** Thousands to some people, and tenths or hundredths to others. */
const AMBIGUOUS = /^(\d{1,3})[.,](\d{2}0)$/;

/** The two readings of a price that somebody has typed; null when it has one reading, or none. */
export function ambiguousPrice(text: string, { language, currency }: Pricing) {
  // In other currencies three digits are a price's decimals, or thousands.
  if (currencyDecimals(currency) !== 2) return null;
  const [, whole, part] = AMBIGUOUS.exec(text.replace(/[\s€$£]/g, '')) ?? [];
  if (whole === undefined || part === undefined) return null;
  const sign = language === 'en' ? '.' : ',';
  return { whole: `${whole}${part}`, part: `${whole}${sign}${part.slice(0, 2)}` };
}

function ambiguousPrices(say: Say, { own }: Drafts, place: FormPlace): Record<string, string> {
  const prices = [...own].filter(([name]) => /(^|\.)(price|surcharge)$/.test(name));
  return Object.fromEntries(
    prices.flatMap(([name, [text = '']]) => {
      const values = ambiguousPrice(text, place);
      return values ? [[name, say('contradictions.ambiguousPrice', values)]] : [];
    }),
  );
}

/**
 * The values of a form that saving would drop: by the names of their controls, with the way out.
 *
 * @param own as `settleAllergens` leaves it
 */
export function contradictions(
  say: Say,
  resource: Resource,
  drafts: Drafts,
  place: FormPlace,
): Record<string, string> {
  switch (resource) {
    case 'items':
      return {
        ...(priceErrors(say, drafts, place) || null),
        ...ambiguousPrices(say, drafts, place),
        ...(momentErrors(say, drafts) || null),
        ...(allergenErrors(say, drafts) || null),
        ...(wineryErrors(say, drafts) || null),
      };
    case 'categories':
      return { ...(hoursErrors(say, drafts) || null) };
    default:
      return {};
  }
}
