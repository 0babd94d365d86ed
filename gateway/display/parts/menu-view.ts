import { certain } from '../../../db/runtime/certain.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  additives,
  allergenKinds,
  allergens,
  type Dictionary,
  dishLabels,
} from '../../../db/schema/dictionary.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import type { SectionTree } from '../../../db/schema/section.ts';
import type { Settings } from '../../../db/schema/settings.ts';
import type { Theme } from '../../../db/schema/theme.ts';
import { currencyDecimals } from '../../../db/schema/values/currency.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import type { Facts } from '../../../db/snapshot/facts.ts';
import { guestLanguage, guestTexts, type PageTexts } from '../../../db/texts/catalogues.ts';
import { localTime } from '../../analytics/local-time.ts';
import type { LoadedSnapshot } from '../../snapshots/loaded-snapshot.ts';
import { readSettingsAndTheme } from '../../theme/theme-css.ts';
import { isOutOfDates } from './serving-times.ts';
import { houseDay } from './sold-out.ts';

/** The countries whose way of writing dates some languages follow; others follow their own. */
const REGIONS: Partial<Record<Locale, string>> = {
  it: 'it-IT',
  en: 'en-GB',
  fr: 'fr-FR',
  de: 'de-DE',
  es: 'es-ES',
};

/** A language as dates are written in it. */
export function regionOf(locale: Locale): string {
  return REGIONS[locale] ?? locale;
}

/** A word of a dictionary, and the sign under which the legend has it. */
export interface Marked {
  mark: string;
  name: string;
}
type Marks = ReadonlyMap<string, Marked>;

/** Between two marks: where they need two lines, one ends behind the dot. */
export const DOT = '\u2009\u2060·\u2009';
/** So many marks have room on one line of any page. */
const TOGETHER = 8;

/** The class of marks: many of them may need two lines. */
export function marksClass(count: number): string {
  return count > TOGETHER ? 'marks many' : 'marks';
}

/** The sign of a word; menus have words of the dictionary alone. */
export function markOf(marks: Marks, key: string): string {
  return certain(marks.get(key), `the legend has no ${key}`).mark;
}

/** The numbers of allergens, in order. */
export function numbersOf(keys: readonly string[], { allergens }: MenuReading): number[] {
  return keys.map((key) => Number(markOf(allergens, key))).sort((left, right) => left - right);
}

/** The numbers of allergens and of cereals and nuts, as the data of the filter have them. */
export function filterNumber({ allergens, kinds }: MenuReading, key: string): number {
  return Number(markOf(allergens.has(key) ? allergens : kinds, key));
}

/** Data that every part of a restaurant's page may need. */
export interface MenuReading {
  settings: Settings;
  theme: Theme;
  locale: Locale;
  texts: PageTexts;
  /** The language of these texts: English where the page's own has none. */
  textLocale: Locale;
  /** By key, numbered from 1. */
  allergens: Marks;
  /** Cereals and nuts by key; their numbers follow those of the allergens, and stand in data alone. */
  kinds: Marks;
  /** By key, with letters from a. */
  additives: Marks;
  /** Names of the dishes' labels by key. */
  labels: Marks;
  /** Of the restaurant. */
  timezone: string;
  /** The restaurant's day, `YYYY-MM-DD`; an evening goes on past midnight. */
  today: string;
  /** Of dishes with choices, by id. */
  facts?: ReadonlyMap<number, Facts>;
  /** The groups of options that share their name with others, by id. */
  alike?: ReadonlySet<number>;
  /** When dishes that are sold out are back, by their ids. */
  ends?: ReadonlyMap<number, string>;
  /** A price in the restaurant's currency, as this language writes it. */
  price(amount: number): string;
}

/** A menu in one language, ready to be written as a page. */
export interface MenuView extends MenuReading {
  snapshot: LoadedSnapshot;
  /** The sections that contain something, nested, without those that are out of their dates. */
  tree: readonly SectionTree[];
  /** The sections that are left out because of their dates. */
  left: readonly number[];
}

type Section = Omit<SectionTree, 'children'>;

const letterOf = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index);

function marksOf(
  dictionary: Dictionary,
  locale: Locale,
  markOf: (index: number) => string = () => '',
): Marks {
  const entries = dictionary.in(locale);
  return new Map(entries.map(({ key, name }, index) => [key, { mark: markOf(index), name }]));
}

function* readSections(snapshot: LoadedSnapshot, enough: number): Generator<void, Section[]> {
  const sections: Section[] = [];
  let dishes = 0;
  for (const { json } of snapshot.served().sections) {
    // A section's JSON lacks the brace that ends it: `/categories` adds the children there.
    const section: Section = JSON.parse(`${json}}`);
    sections.push(section);
    dishes += section.items.length;
    if (dishes >= enough) break;
    yield;
  }
  return sections;
}

/** Sections that are out of their dates on a day, and those below them. */
function outOfDates(sections: readonly Section[], day: string): Set<number> {
  const out = new Set(sections.filter((one) => isOutOfDates(one, day)).map(({ id }) => id));
  // A section may stand before the one that it belongs to.
  for (let level = 1; out.size > 0 && level < constants.maxSectionDepth; level += 1) {
    for (const { id, parent_id } of sections) if (out.has(parent_id ?? 0)) out.add(id);
  }
  return out;
}

/**
 * The flat list of sections as a tree without empty sections. A wine section never moves below one of
 * another kind.
 */
function nestSections(sections: readonly Section[]): SectionTree[] {
  const nodes = new Map<number, SectionTree>();
  for (const section of sections) nodes.set(section.id, { ...section, children: [] });
  const roots: SectionTree[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id);
    (parent?.menu_type === node.menu_type ? parent.children : roots).push(node);
  }
  const hasContent = (node: SectionTree): boolean => {
    node.children = node.children.filter(hasContent);
    return node.items.length > 0 || node.children.length > 0;
  };
  return roots.filter(hasContent);
}

/** Every dish in these sections and below them. */
export function* dishesOf(tree: readonly SectionTree[]): Iterable<Dish> {
  for (const { items, children } of tree) {
    yield* items;
    yield* dishesOf(children);
  }
}

/** The ids of groups that are called as another one: their dishes say themselves what they offer. */
function findAlike(dishes: Iterable<Dish>): ReadonlySet<number> {
  const byName = new Map<string, Set<number>>();
  for (const { modifier_groups } of dishes) {
    for (const { id, name } of modifier_groups) {
      byName.set(name, (byName.get(name) ?? new Set()).add(id));
    }
  }
  return new Set([...byName.values()].filter(({ size }) => size > 1).flatMap((ids) => [...ids]));
}

/** When dishes that are sold out are back, by their ids. */
function findEnds(dishes: Iterable<Dish>): ReadonlyMap<number, string> {
  const ends = new Map<number, string>();
  for (const { id, sold_out_until: until } of dishes) if (until !== null) ends.set(id, until);
  return ends;
}

/** The allergens of dishes with choices, by their ids. */
function readFacts(snapshot: LoadedSnapshot): ReadonlyMap<number, Facts> {
  const dishes = snapshot.served().sections.flatMap((section) => section.dishes.all());
  return new Map(
    dishes.flatMap(({ id, filters }) => (filters.facts ? [[id, filters.facts as Facts]] : [])),
  );
}

/**
 * Writes prices as people of a language do: of a forint or a peso, shops write no decimals. An amount
 * that has some shows all that its currency has.
 */
function priceWriter(locale: Locale, currency: string): (amount: number) => string {
  const usual = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const usualDecimals = usual.resolvedOptions().maximumFractionDigits ?? 0;
  const decimals = currencyDecimals(currency);
  const exact = new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  });
  return (amount) => {
    const isUsual = Number(amount.toFixed(usualDecimals)) === amount;
    return (isUsual ? usual : exact).format(amount);
  };
}

/**
 * Data about a restaurant beside its menu that parts of a page need.
 *
 * @param now in ms since 1970
 */
export function readRestaurant(
  snapshot: Pick<LoadedSnapshot, 'locale' | 'head' | 'tenant'>,
  now: number,
): MenuReading {
  const { locale, tenant } = snapshot;
  const spoken = guestLanguage(locale);
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const { currency } = settings;
  return {
    settings,
    theme,
    locale,
    texts: guestTexts(spoken).page,
    textLocale: spoken,
    allergens: marksOf(allergens, locale, (index) => String(index + 1)),
    kinds: marksOf(allergenKinds, locale, (index) => String(allergens.keys.length + index + 1)),
    additives: marksOf(additives, locale, letterOf),
    labels: marksOf(dishLabels, locale),
    timezone: tenant.timezone,
    today: houseDay(new Date(now), tenant.timezone),
    price: priceWriter(locale, currency),
  };
}

/** How much of a menu is read. */
interface Extent {
  /** Dishes after which no further section is read. */
  enough?: number;
  /** Sections of other days are read, too: script shows them on their days. */
  isLasting?: boolean;
}

/** @param now the moment at which guests read it, in ms since 1970 */
export function* readMenu(
  snapshot: LoadedSnapshot,
  now: number,
  { enough = Number.POSITIVE_INFINITY, isLasting = false }: Extent = {},
): Generator<void, MenuView> {
  const sections = yield* readSections(snapshot, enough);
  const { day } = localTime(snapshot.tenant.timezone, now);
  const left = isLasting ? new Set<number>() : outOfDates(sections, day);
  const tree = nestSections(sections.filter(({ id }) => !left.has(id)));
  const facts = readFacts(snapshot);
  return {
    ...readRestaurant(snapshot, now),
    snapshot,
    tree,
    left: [...left],
    facts,
    alike: findAlike(dishesOf(tree)),
    ends: findEnds(dishesOf(tree)),
  };
}
