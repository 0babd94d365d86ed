import { shownCalories } from '../../../db/law/calories.ts';
import { memoize } from '../../../db/runtime/memoize.ts';
import { KINDS_OF } from '../../../db/schema/dictionary.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { countryName } from '../../../db/schema/values/country.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { guestTexts } from '../../../db/texts/catalogues.ts';
import { compile } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { MenuReading } from './menu-view.ts';
import { isolated, sideBySide, translated } from './own-text.ts';

// Figures and places of a dish: how much it is, its strength, where it comes from.

const inLitres = memoize(
  (locale: Locale) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'liter', maximumFractionDigits: 3 }),
);
const inMillilitres = memoize(
  (locale: Locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'milliliter' }),
);
const inPercent = memoize(
  (locale: Locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
);

/** Small measures, such as those of spirits, are no part of a litre that people know. */
const SMALLEST_IN_LITRES = 100;

function volumeText(volume: number, locale: Locale): string {
  return volume < SMALLEST_IN_LITRES
    ? inMillilitres(locale).format(volume)
    : inLitres(locale).format(volume / 1_000);
}

type Drink = Pick<Dish, 'volume_ml' | 'abv_percent'>;

function drinkTexts({ volume_ml, abv_percent }: Drink, { locale }: MenuReading): string[] {
  return [
    volume_ml ? volumeText(volume_ml, locale) : '',
    typeof abv_percent === 'number' ? `${inPercent(locale).format(abv_percent / 100)} vol` : '',
  ].filter(Boolean);
}

/** The amount and the strength of one size of a drink. */
export function sizeMeasures(drink: Drink, reading: MenuReading): Content {
  const texts = drinkTexts(drink, reading);
  return texts.length > 0 && html` <small>${sideBySide(...texts)}</small>`;
}

const serving = memoize((language: string) => compile(guestTexts(language).page.serves, language));

/** How much a dish is, how strong, and for how many. */
export function measures(dish: Dish, reading: MenuReading): Content {
  const { portion = '', portion_translations = {}, serves } = dish;
  const own = translated(portion, portion_translations, reading.locale, { tag: 'span' });
  const texts = drinkTexts(dish, reading);
  if (serves) texts.push(serving(reading.textLocale)({ n: serves }));
  if (!own && texts.length === 0) return null;
  return html`<span class="facts">${own}${own && texts.length > 0 && ' · '}${sideBySide(...texts)}</span>`;
}

export function wineFacts(dish: Dish, { locale, texts }: MenuReading): Content {
  const { vintage, denomination, grapes, taste = '', taste_translations = {} } = dish;
  const year = dish.non_vintage ? texts.nonVintage : vintage === null ? '' : String(vintage);
  const known = [year, denomination, grapes].filter(Boolean);
  const facts =
    known.length > 0 &&
    html`<span class="facts" translate="no" dir="auto">${sideBySide(...known)}</span>`;
  const tastes = translated(taste, taste_translations, locale, { tag: 'span', className: 'facts' });
  return [facts, tastes];
}

/** A text of the restaurant's behind a word of ours. */
function worded(word: string, text: string, texts: Dish['origin_translations'], locale: Locale) {
  return translated(text, texts, locale, {
    tag: 'span',
    content: [`${word}: `, isolated(text)],
  });
}

/** Food that a wine goes well with. */
export function pairing(dish: Dish, { locale, texts }: MenuReading): Content {
  const { pairing: text = '', pairing_translations = {} } = dish;
  const said = worded(texts.pairing, text, pairing_translations, locale);
  return said && html`<span class="facts">${said}</span>`;
}

export function ingredients(dish: Dish, { locale, texts }: MenuReading): Content {
  const { ingredients: text = '', ingredients_translations = {} } = dish;
  return translated(text, ingredients_translations, locale, {
    tag: 'p',
    content: [html`<strong>${texts.ingredients}: </strong>`, text],
  });
}

/** Its energy and where it comes from. */
export function nutrition(dish: Dish, { locale, settings }: MenuReading): Content {
  const { kcal, origin, origin_translations } = dish;
  if (kcal === null && !origin) return null;
  const energy = kcal !== null && isolated(shownCalories(kcal, settings));
  const from = translated(origin, origin_translations, locale, { tag: 'span' });
  return html`<span class="facts nutrition">${energy}${energy && from && ' · '}${from}</span>`;
}

type Origin = NonNullable<Dish['origins']>[number];

function placeName(code: string, { locale, texts }: MenuReading): string {
  return code === 'non_EU' ? texts.nonEu : countryName(code, locale);
}

/** The places of an ingredient; one that is born, reared and slaughtered in one country has one. */
function placesOf(one: Origin, reading: MenuReading): string[] {
  const { texts } = reading;
  const { country, born, reared, slaughtered, catch_area, note } = one;
  const name = (code: string | null) => (code === null ? '' : placeName(code, reading));
  const steps = { born, reared, slaughtered };
  const given = new Set(Object.values(steps).filter((code) => code !== null));
  const isWhole = born !== null && reared !== null && slaughtered !== null;
  const [only = null] = given;
  const isOne = given.size === 1 && isWhole && (country === null || country === only);
  const stated = isOne
    ? [name(only)]
    : [
        name(country),
        ...(['born', 'reared', 'slaughtered'] as const).map(
          (step) => steps[step] && texts[step].replace('{place}', () => name(steps[step])),
        ),
      ];
  const caught = catch_area && texts.caught.replace('{place}', () => catch_area);
  return [...stated, caught, note].filter(
    (text) => typeof text === 'string' && text !== '',
  ) as string[];
}

function originOf(one: Origin, reading: MenuReading): Html {
  const { ingredient, ingredient_translations, kind } = one;
  const name =
    translated(ingredient, ingredient_translations, reading.locale, { tag: 'span' }) ??
    guestTexts(reading.textLocale).origin_kinds[kind];
  const places = placesOf(one, reading);
  return html`<span class="origin">${name}${places.length > 0 && ': '}${places.join(', ')}</span>`;
}

/** Where single ingredients come from; a kind alone says nothing of that. */
export function originLine({ origins = [] }: Dish, reading: MenuReading): Content {
  const said = origins.filter((one) => one.ingredient !== '' || placesOf(one, reading).length > 0);
  if (said.length === 0) return null;
  const all = said.map((one, at) => [at > 0 && ' · ', originOf(one, reading)]);
  return html`<span class="facts origins">${all}</span>`;
}

export function kindNames(dish: Dish, allergen: string, { kinds }: MenuReading): string[] {
  const own: readonly string[] = KINDS_OF[allergen as keyof typeof KINDS_OF] ?? [];
  const named = (dish.allergen_detail ?? []).filter((key) => own.includes(key));
  return named.map((key) => kinds.get(key)?.name ?? key);
}

/** Cereals and nuts by name, for walls and paper, where no dish can be opened. */
export function kindsLine(dish: Dish, reading: MenuReading): Content {
  const lines = Object.keys(KINDS_OF).flatMap((allergen) => {
    const names = kindNames(dish, allergen, reading);
    if (names.length === 0) return [];
    const { mark = '' } = reading.allergens.get(allergen) ?? {};
    return [`${dish.traces.includes(allergen as never) ? `(${mark})` : mark} ${names.join(', ')}`];
  });
  return lines.length > 0 && html`<span class="facts closed-only">${sideBySide(...lines)}</span>`;
}
