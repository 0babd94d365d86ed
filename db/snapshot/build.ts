import { randomUUID } from 'node:crypto';
import { dish as dishRecord, type StoredDish } from '../schema/dish.ts';
import type { Embed, Reader } from '../schema/field.ts';
import { type RecordType, viewRecord } from '../schema/record.ts';
import { idsIn } from '../schema/references.ts';
import { filteredFields, type Reference, records, referencesFrom } from '../schema/registry.ts';
import {
  type StoredType,
  section as sectionRecord,
  type as typeRecord,
} from '../schema/section.ts';
import { settings as settingsRecord } from '../schema/settings.ts';
import { theme as themeRecord } from '../schema/theme.ts';
import { timestamp } from '../schema/validation/date-fields.ts';
import { ALL_LOCALES, type Locale, localize, type Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import type { StoredMenu } from '../sql/menus.ts';
import type { Branch, MenuHead } from '../sql/snapshots.ts';
import { arrangeMenu, flattenSections, type SectionNode } from './assemble.ts';
import { factsOf } from './facts.ts';
import { type DishKey, digest } from './parts.ts';
import { DISH, GAP, type SectionTemplate } from './template.ts';

/** JSON with gaps, and the texts that stand in them, joined, for each served locale. */
interface Gapped {
  json: string;
  texts: readonly string[];
  /** The translations from which these texts come. */
  gaps: readonly Translations[];
}

/** The rows that a record shows within itself; null for one that is not there. */
type Embedded = readonly { resource: string; id: number; row: Row | null }[];

interface BuiltDish extends Gapped {
  dish: StoredDish;
  embedded: Embedded;
  /** Its `DishKey`, as JSON. */
  key: string;
}

/** A section without its dishes. */
interface Frame {
  section: SectionNode['section'];
  embedded: Embedded;
  types: readonly StoredType[];
  own: Gapped;
  shownTypes: Gapped;
}

/** The records that a section's template is made of: the same records make the same one. */
interface Sources extends Pick<Frame, 'section' | 'embedded' | 'types'> {
  /** The records of its dishes, and all that these show within themselves. */
  stored: readonly StoredDish[];
  shown: Embedded;
}

interface BuiltSection extends Frame, Sources {
  dishes: readonly BuiltDish[];
  template: SectionTemplate;
}

/** Settings and theme, with the JSON in each language that was made of them. */
interface BuiltRestaurant extends Pick<MenuHead, 'settings' | 'theme'> {
  of: Pick<StoredMenu, 'settings' | 'theme'>;
  embedded: Embedded;
  /** Both in all languages, as JSON. */
  json: string;
}

interface MenuOf<Section> {
  head: MenuHead;
  restaurant: BuiltRestaurant;
  sections: ReadonlyMap<number, Section>;
}
/** A menu, ready to be saved. */
export type BuiltMenu = MenuOf<BuiltSection>;
/** A menu that was built on one before: sections that are stored already may have no template. */
export type NextMenu = MenuOf<BuiltSection | Sources>;

/** An earlier version of a menu, whose sections may be stored and not built in this process. */
export interface FormerMenu extends Pick<NextMenu, 'sections'> {
  head: Languages;
  restaurant: BuiltRestaurant | null;
}

type Languages = Pick<MenuHead, 'locales' | 'defaultLocale' | 'fallbackLocale'>;

function readingOf({ defaultLocale, fallbackLocale }: Languages, locale: Locale) {
  return { locale, fallback: fallbackLocale, usual: defaultLocale };
}

/** The records of one version, and what was built of the version before in the same languages. */
interface Work {
  languages: Languages;
  /** Finds the rows that records show within themselves. */
  embed: Embed;
  before: FormerMenu | undefined;
}

/** Holds the place of a gap. It cannot be guessed, so no text of a menu is taken for one. */
const PLACEHOLDER = randomUUID();
const PLACEHOLDER_JSON = JSON.stringify(PLACEHOLDER);

/** @param former the record's JSON before: its texts are taken over where they are the same */
function gapped(
  { languages }: Work,
  view: (read: Reader) => unknown,
  former?: Pick<Gapped, 'gaps' | 'texts'>,
): Gapped {
  const gaps: Translations[] = [];
  const shown = view((texts) => {
    gaps.push(texts);
    return PLACEHOLDER;
  });
  const json = JSON.stringify(shown).replaceAll(PLACEHOLDER_JSON, GAP);
  if (former && isSame(former.gaps, gaps)) return { json, gaps: former.gaps, texts: former.texts };
  const texts = languages.locales.map((locale) => {
    const reading = readingOf(languages, locale);
    return gaps.map((one) => JSON.stringify(localize(one, reading))).join(GAP);
  });
  return { json, gaps, texts };
}

/** Finds the rows that records show within themselves; a kind is indexed when it is asked for. */
function createEmbed(menu: StoredMenu, nodes: readonly SectionNode[]): Embed {
  const embeddable = new Map<string, () => readonly (Row & { id: number })[]>([
    ['wineries', () => menu.wineries],
    ['photos', () => menu.photos],
    ['modifier_groups', () => menu.modifier_groups],
    ['items', () => nodes.flatMap((node) => node.dishes)],
  ]);
  const indexes = new Map<string, ReadonlyMap<unknown, Row>>();
  return (resource, id) => {
    let index = indexes.get(resource);
    if (!index) {
      index = new Map(
        embeddable
          .get(resource)?.()
          .map((row) => [row.id, row]),
      );
      indexes.set(resource, index);
    }
    return index.get(id) ?? null;
  };
}

/** The references to records that one shows within itself. */
const linksFrom = (record: RecordType) =>
  referencesFrom(record).filter(({ to }) => to !== records.categories && to !== records.types);
const dishLinks = linksFrom(records.items);
const sectionLinks = linksFrom(records.categories);
const settingsLinks = linksFrom(records.settings);

/** The rows that a record shows within itself, and for the dishes among them those that they name. */
function embeddedIn(embed: Embed, links: readonly Reference[], row: Row): Embedded {
  return links.flatMap(({ field, to }) =>
    idsIn(row[field]).flatMap((id) => {
      if (id === null) return [];
      const found = embed(to.resource, id);
      const groups =
        found && to.resource === 'items' ? (found as StoredDish).modifier_group_ids : [];
      return [
        { resource: to.resource, id, row: found },
        ...groups.map((group) => {
          return { resource: 'modifier_groups', id: group, row: embed('modifier_groups', group) };
        }),
      ];
    }),
  );
}

/** Whether the rows that a record shows within itself are still the same. */
function isStill(embed: Embed, embedded: Embedded): boolean {
  return embedded.every(({ resource, id, row }) => embed(resource, id) === row);
}

function isSame<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

function buildDish(work: Work, dish: StoredDish, former: BuiltDish | undefined): BuiltDish {
  const { embed } = work;
  return {
    dish,
    embedded: embeddedIn(embed, dishLinks, dish),
    key: JSON.stringify({ id: dish.id, filters: filtersOf(dish, embed) }),
    ...gapped(work, (read) => viewRecord(dishRecord, dish, { read, embed }), former),
  };
}

/** The dishes of a section, those of a version before where they are still right. */
function* buildDishes(
  work: Work,
  dishes: readonly StoredDish[],
  former: readonly BuiltDish[] = [],
): Generator<void, BuiltDish[]> {
  const known = new Map(former.map((one) => [one.dish.id, one]));
  const built: BuiltDish[] = [];
  for (const dish of dishes) {
    const one = known.get(dish.id);
    if (one?.dish === dish && isStill(work.embed, one.embedded)) {
      built.push(one);
    } else {
      built.push(buildDish(work, dish, one));
      yield;
    }
  }
  return built;
}

/** The values that the filters of `/items` compare. */
function filtersOf(dish: StoredDish, embed: Embed): DishKey['filters'] {
  const row: Row = dish;
  const own = {
    ...Object.fromEntries(filteredFields.map((name) => [name, row[name]])),
    // Few dishes name a cereal or a nut: the others do not pay for it.
    ...(dish.allergen_detail.length > 0 && { allergen_detail: dish.allergen_detail }),
  };
  const facts = factsOf(dish, embed);
  return facts.choices.length === 0 ? own : { ...own, facts };
}

function buildFrame(work: Work, { section, types }: SectionNode): Frame {
  const { embed } = work;
  return {
    section,
    embedded: embeddedIn(embed, sectionLinks, section),
    types,
    own: gapped(work, (read) => viewRecord(sectionRecord, section, { read, embed })),
    shownTypes: gapped(work, (read) => types.map((type) => viewRecord(typeRecord, type, { read }))),
  };
}

function joinSection(
  { languages }: Work,
  { section, own, shownTypes }: Frame,
  dishes: readonly BuiltDish[],
): SectionTemplate {
  const head = `${own.json.slice(0, -1)},"items":[`;
  const tail = `],"types":${shownTypes.json}`;
  const json = [head, ...dishes.map((dish) => dish.json), tail].join(DISH);
  const texts = languages.locales.map((locale, index) => {
    const all = [own, ...dishes, shownTypes].map((one) => one.texts[index]);
    // Where there are no types there are no gaps.
    return [locale, all.filter(Boolean).join(GAP)] as const;
  });
  const bytes = Buffer.byteLength(json);
  return {
    id: section.id,
    tag: digest([json, ...texts.map(([, joined]) => joined)]),
    dishes: `[${dishes.map(({ key }) => key).join(',')}]`,
    dishCount: dishes.length,
    json,
    texts: new Map(texts),
    sizes: texts.map(([, joined]) => bytes + Buffer.byteLength(joined)),
  };
}

function* buildSection(work: Work, node: SectionNode): Generator<void, BuiltSection | Sources> {
  const { embed } = work;
  const { section, types, dishes: stored } = node;
  const known = work.before?.sections.get(section.id);
  const isKnown =
    known?.section === section && isStill(embed, known.embedded) && isSame(known.types, types);
  if (isKnown && isSame(known.stored, stored) && isStill(embed, known.shown)) return known;
  const built = known && 'template' in known ? known : undefined;
  const frame = isKnown && built ? built : buildFrame(work, node);
  const dishes = yield* buildDishes(work, stored, built?.dishes);
  const shown = dishes.flatMap(({ embedded }) => embedded);
  return { ...frame, dishes, stored, shown, template: joinSection(work, frame, dishes) };
}

function buildRestaurant({ languages, embed, before }: Work, { settings, theme }: StoredMenu) {
  const known = before?.restaurant;
  const isKnown =
    known?.of.settings === settings && known.of.theme === theme && isStill(embed, known.embedded);
  if (isKnown) return known;
  const inEach = (view: (read: Reader) => unknown) =>
    Object.fromEntries(
      languages.locales.map((locale) => [
        locale,
        JSON.stringify(view((texts) => localize(texts, readingOf(languages, locale)))),
      ]),
    );
  const shown = {
    settings: inEach((read) => viewRecord(settingsRecord, settings, { read, embed })),
    theme: inEach((read) => viewRecord(themeRecord, theme, { read })),
  };
  return {
    of: { settings, theme },
    embedded: embeddedIn(embed, settingsLinks, { ...settings }),
    ...shown,
    json: JSON.stringify(shown),
  };
}

function branchOf({ section, children }: SectionNode): Branch {
  return [section.id, children.map(branchOf)];
}

/** The locales that a restaurant is served in: its own, and its fallback for readers of others. */
function languagesOf({ settings }: StoredMenu): Languages {
  const { default_locale: defaultLocale, supported_locales: supported } = settings;
  const { fallback_locale: fallbackLocale } = settings;
  const isServed = (locale: Locale) => supported.includes(locale) || locale === fallbackLocale;
  return { locales: ALL_LOCALES.filter(isServed), defaultLocale, fallbackLocale };
}

/**
 * A menu whose snapshots are stored.
 *
 * @param builtAt when they were built of these very records
 */
export function storedAs(menu: StoredMenu, builtAt: Date): FormerMenu {
  const nodes = flattenSections(arrangeMenu(menu, builtAt));
  const embed = createEmbed(menu, nodes);
  const sourcesOf = ({ section, types, dishes: stored }: SectionNode): Sources => ({
    ...{ section, types, stored },
    embedded: embeddedIn(embed, sectionLinks, section),
    shown: stored.flatMap((dish) => embeddedIn(embed, dishLinks, dish)),
  });
  return {
    head: languagesOf(menu),
    restaurant: null,
    sections: new Map(nodes.map((node) => [node.section.id, sourcesOf(node)])),
  };
}

/**
 * Builds what a tenant's snapshots are made from, in all the locales that it is served in. The same
 * menu, version and time give the same. A menu of the largest size takes some 100 ms, so it is built in
 * steps of a changed dish or a section.
 *
 * @param menu everything of the tenant, `menu.version` included
 * @param builtAt the moment whose menu guests see; becomes `meta.generated_at` of every answer
 * @param before an earlier version: what was made of records that are still the same objects is taken
 *   over from it
 */
export function* buildOnStored(
  menu: StoredMenu,
  builtAt: Date,
  before: FormerMenu | undefined,
): Generator<void, NextMenu> {
  const tree = arrangeMenu(menu, builtAt);
  const nodes = flattenSections(tree);
  const languages = languagesOf(menu);
  const isTranslatedAlike =
    before?.head.defaultLocale === languages.defaultLocale &&
    before.head.fallbackLocale === languages.fallbackLocale &&
    isSame(before.head.locales, languages.locales);
  const work: Work = {
    languages,
    embed: createEmbed(menu, nodes),
    before: isTranslatedAlike ? before : undefined,
  };
  const sections = new Map<number, BuiltSection | Sources>();
  for (const node of nodes) {
    sections.set(node.section.id, yield* buildSection(work, node));
    yield;
  }
  const restaurant = buildRestaurant(work, menu);
  const head: MenuHead = {
    version: menu.version,
    generatedAt: timestamp(builtAt),
    settings: restaurant.settings,
    theme: restaurant.theme,
    order: [...sections.keys()],
    tree: tree.map(branchOf),
    ...languages,
  };
  return { head, restaurant, sections };
}

/** The same on a version that was built, so that all sections are. */
export function buildInSteps(menu: StoredMenu, builtAt: Date, before?: BuiltMenu) {
  return buildOnStored(menu, builtAt, before) as Generator<void, BuiltMenu>;
}
