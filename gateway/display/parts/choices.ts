import { memoize } from '../../../db/runtime/memoize.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { timesOf } from '../../../db/schema/modifier-group.ts';
import { isSumOfDishes } from '../../../db/snapshot/facts.ts';
import type { PageTexts } from '../../../db/texts/catalogues.ts';
import { compile, type Values } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { DOT, type MenuReading, marksClass, numbersOf } from './menu-view.ts';
import { breakable, foreignLang, translated } from './own-text.ts';
import { isForToday } from './sold-out.ts';

// Groups of options that guests choose from with a dish, and the courses of set menus.

type Group = Dish['modifier_groups'][number];
type Course = Dish['courses'][number];

type RuleText = Extract<keyof PageTexts, `choose${string}`>;
const compiledIn = memoize((locale: string) => memoize((text: string) => compile(text, locale)));

/** A text about numbers in the language of the page's texts. */
function say({ texts, textLocale }: MenuReading, key: RuleText, values: Values): string {
  return compiledIn(textLocale)(texts[key])(values);
}

/** How many options a guest chooses, in words. */
function countText(
  reading: MenuReading,
  { min, max, total }: { min: number; max: number | null; total: number },
): string {
  if (min === max) return say(reading, 'chooseOf', { n: min, total });
  if (max === null) {
    return say(reading, min === 0 ? 'chooseAny' : 'chooseAtLeast', { n: min });
  }
  if (min === 0) return say(reading, 'chooseUpTo', { n: max });
  return say(reading, 'chooseBetween', { min, max });
}

const groupCount = (reading: MenuReading, { min, max, options }: Group) =>
  countText(reading, { min, max, total: options.length });

function groupName({ name, name_translations }: Group, { locale }: MenuReading): Content {
  return translated(name, name_translations, locale, { tag: 'strong' });
}

/** The least that a guest pays for the options that come with a dish, in the restaurant's currency. */
export function leastExtra({ modifier_groups: groups }: Dish): number {
  const leastOf = ({ min, options }: Group) => {
    const pricesOf = (some: Group['options']) =>
      some.flatMap(({ price, ...one }) => Array<number>(Math.min(timesOf(one), min)).fill(price));
    const present = pricesOf(options.filter(({ is_sold_out }) => !is_sold_out));
    const prices = present.length < min ? pricesOf(options) : present;
    return prices
      .sort((left, right) => left - right)
      .slice(0, min)
      .reduce((sum, one) => sum + one, 0);
  };
  return groups.reduce((sum, group) => sum + leastOf(group), 0);
}

/** The groups of a dish by name, below it: its options follow where it is opened, or in a legend. */
export function groupLines({ modifier_groups: groups }: Dish, reading: MenuReading): Content {
  if (groups.length === 0) return null;
  const lines = groups.map((group) => {
    const name = groupName(group, reading);
    const options = isAlike(group, reading)
      ? html`<span class="closed-only">: ${optionList(group.options, reading)}</span>`
      : null;
    return html`<span class="choice">${name}: ${groupCount(reading, group)}${options}</span>`;
  });
  return html`<span class="choices-of">${lines}</span>`;
}

interface Statement {
  allergens: readonly string[] | null;
  traces?: readonly string[];
}

/** The signs under which the legend has what an option contains. */
function optionMarks({ allergens, traces = [] }: Statement, reading: MenuReading): Content {
  const possible = numbersOf(traces, reading).map((one) => `(${one})`);
  const shown = [...numbersOf(allergens ?? [], reading), ...possible];
  const all = allergens === null ? [...shown, '?'] : shown;
  const named = marksClass(all.length);
  return all.length > 0 && html`<sup class="${named}" aria-hidden="true">${all.join(DOT)}</sup>`;
}

function extra(amount: number, { price }: MenuReading): Content {
  // A price stays with the end of its option.
  return (
    amount > 0 && html`\u00a0<span class="extra" data-amount="${amount}">+${price(amount)}</span>`
  );
}

type Option = Group['options'][number] | Course['options'][number];

/** Says that a size or an option is sold out where it is struck through. */
export const goneTitle = (isSoldOut: boolean, { texts }: MenuReading): Content =>
  isSoldOut && html` title="${texts.soldOut}"`;

/** The class by which it is struck through; on paper, which lasts longer than a day, not for today. */
export function goneClass(
  isSoldOut: boolean,
  until: string | null | undefined,
  reading: MenuReading,
): Content {
  return isSoldOut && [' gone-option', isForToday(until, reading) && ' for-today'];
}

function option(one: Option, reading: MenuReading, isText: boolean, comma: string): Html {
  const { label, label_translations, is_sold_out } = one;
  const lang = foreignLang(label, label_translations, reading.locale);
  const gone = goneTitle(is_sold_out, reading);
  const said = is_sold_out && html`<span class="said"> (${reading.texts.soldOut})</span>`;
  const amount = 'price' in one ? one.price : one.surcharge;
  const until = 'item_id' in one ? reading.ends?.get(one.item_id ?? 0) : one.sold_out_until;
  const statement = 'item_id' in one && !one.allergens_declared ? { ...one, allergens: null } : one;
  const marks = isText ? null : optionMarks(statement, reading);
  const most = 'price' in one ? timesOf(one) : 1;
  const times =
    most > 1 &&
    html` <small data-max="${most}">(${say(reading, 'chooseUpTo', { n: most })})</small>`;
  return html`<span class="option${goneClass(is_sold_out, until, reading)}"${gone}><span${lang} dir="auto">${breakable(label, label_translations, reading.locale)}</span>${said}${marks}${extra(amount, reading)}${times}</span>${comma}`;
}

function optionList(options: readonly Option[], reading: MenuReading): Content {
  return options.map((one, index) => {
    const isText = 'item_id' in one && one.item_id === null;
    // The comma stays with what stands before it.
    const comma = index < options.length - 1 ? ',' : '';
    return [index > 0 && ' ', option(one, reading, isText, comma)];
  });
}

/** The options of a group, behind its name. */
function groupText(group: Group, reading: MenuReading): Html {
  const count = html` <small>(${groupCount(reading, group)})</small>`;
  const isOne = group.min === 1 && group.max === 1 && html` data-one`;
  return html`<p class="options"${isOne}>${groupName(group, reading)}${count}: ${optionList(group.options, reading)}</p>`;
}

/** The options of an opened dish. */
export function groupDetails({ modifier_groups: groups }: Dish, reading: MenuReading): Content {
  return groups.map((group) => groupText(group, reading));
}

const isAlike = ({ id }: Group, { alike }: MenuReading) => alike?.has(id) ?? false;

/** All groups of a section once, for walls and paper, where no dish can be opened. */
export function groupLegend(dishes: readonly Dish[], reading: MenuReading): Content {
  const groups = new Map(
    dishes.flatMap(({ modifier_groups }) => modifier_groups.map((group) => [group.id, group])),
  );
  const own = [...groups.values()].filter((group) => !isAlike(group, reading));
  if (own.length === 0) return null;
  const texts = own.map((group) => groupText(group, reading));
  return html`<div class="options-legend closed-only">${texts}</div>`;
}

function course({ label, label_translations, choose, options }: Course, reading: MenuReading) {
  const name = translated(label, label_translations, reading.locale, { tag: 'strong' });
  const total = options.length;
  const count =
    choose < total &&
    html` <small>(${countText(reading, { min: choose, max: choose, total })})</small>`;
  return html`<span class="course">${name}${count}: ${optionList(options, reading)}</span>`;
}

export function courseList({ courses }: Dish, reading: MenuReading): Content {
  if (courses.length === 0) return null;
  return html`<span class="courses">${courses.map((one) => course(one, reading))}</span>`;
}

/** Whether a dish declares nothing, and no dishes of its courses do so for it. */
export function isUndeclared(
  dish: Pick<Dish, 'allergens_declared'> & { courses: Parameters<typeof isSumOfDishes>[0] },
): boolean {
  return !dish.allergens_declared && !isSumOfDishes(dish.courses);
}
