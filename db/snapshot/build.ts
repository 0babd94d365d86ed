import type { StoredDish, StoredMenu, StoredType, StoredWinery } from '../queries/load-menu.ts';
import { timestamp } from '../records/envelope.ts';
import { FALLBACK_LOCALE, LOCALES, type Locale } from '../records/locale.ts';
import { arrangeMenu, flattenSections, type SectionNode } from './arrange.ts';
import { fold } from './fold.ts';
import {
  type Branch,
  type DishPart,
  digest,
  type SectionPart,
  type SnapshotHead,
} from './parts.ts';
import { type Reader, viewDish, viewSection, viewType } from './view.ts';

/** A section's part with the records that it was made of: the same records make the same part. */
interface BuiltSection {
  defaultLocale: Locale;
  section: SectionNode['section'];
  types: readonly StoredType[];
  dishes: readonly BuiltDish[];
  part: SectionPart<string>;
}

interface BuiltDish {
  dish: StoredDish;
  winery: StoredWinery | undefined;
  defaultLocale: Locale;
  /** Folded name and description. */
  text: string;
  json: string;
}

/** One locale of a menu, ready to be saved. */
export interface BuiltLocale {
  head: SnapshotHead;
  sections: Map<number, BuiltSection>;
  dishes: Map<number, BuiltDish>;
}

export type BuiltMenu = ReadonlyMap<Locale, BuiltLocale>;

/** The records of one version in one language, and what was built for the version before. */
interface Work {
  menu: StoredMenu;
  wineries: ReadonlyMap<number, StoredWinery>;
  reader: Reader;
  before: BuiltLocale | undefined;
}

function buildDish(work: Work, dish: StoredDish): BuiltDish {
  const { defaultLocale } = work.reader;
  const winery = dish.winery_id === null ? undefined : work.wineries.get(dish.winery_id);
  const known = work.before?.dishes.get(dish.id);
  if (known?.dish === dish && known.winery === winery && known.defaultLocale === defaultLocale) {
    return known;
  }
  const shown = viewDish(dish, winery, work.reader);
  const text = fold(`${shown.name}\n${shown.description}`);
  return { dish, winery, defaultLocale, text, json: JSON.stringify(shown) };
}

function isSame<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

/** Writes a section's JSON and notes where each dish comes to lie. */
function joinSection(
  head: string,
  built: readonly BuiltDish[],
  types: string,
): Pick<SectionPart<string>, 'json' | 'length' | 'dishes'> {
  const dishes: DishPart[] = [];
  let json = `${head},"items":[`;
  let length = Buffer.byteLength(json);
  for (const { dish, text, json: own } of built) {
    const comma = dishes.length > 0 ? ',' : '';
    const start = length + comma.length;
    length = start + Buffer.byteLength(own);
    json += comma + own;
    const { id, type_id: typeId, is_recommended: recommended } = dish;
    dishes.push({ id, typeId, recommended, text, start, end: length });
  }
  json += `],"types":${types}`;
  return { json, length: Buffer.byteLength(json), dishes };
}

function buildSection(work: Work, node: SectionNode, dishes: readonly BuiltDish[]): BuiltSection {
  const { reader } = work;
  const { section, types } = node;
  const known = work.before?.sections.get(section.id);
  if (
    known?.section === section &&
    known.defaultLocale === reader.defaultLocale &&
    isSame(known.types, types) &&
    isSame(known.dishes, dishes)
  ) {
    return known;
  }
  const head = JSON.stringify(viewSection(section, reader)).slice(0, -1);
  const shownTypes = JSON.stringify(types.map((type) => viewType(type, reader)));
  const joined = joinSection(head, dishes, shownTypes);
  const part = { id: section.id, tag: digest([joined.json]), ...joined };
  return { defaultLocale: reader.defaultLocale, section, types, dishes, part };
}

function branchOf({ section, children }: SectionNode): Branch {
  return [section.id, children.map(branchOf)];
}

/** The locales that a restaurant is served in: its own, and Italian for readers of others. */
function servedLocales(menu: StoredMenu): Locale[] {
  const { supported_locales: supported } = menu.settings;
  return LOCALES.filter((locale) => supported.includes(locale) || locale === FALLBACK_LOCALE);
}

/**
 * Builds a tenant's snapshots, one for each locale that it is served in. The same menu, version and
 * time give the same parts.
 *
 * @param menu everything of the tenant, `menu.version` included
 * @param builtAt becomes `meta.generated_at` of every answer
 * @param before what an earlier version gave: parts of records that are still the same objects are
 *   taken over from it
 */
export function buildMenu(menu: StoredMenu, builtAt: Date, before?: BuiltMenu): BuiltMenu {
  const tree = arrangeMenu(menu);
  const flat = flattenSections(tree);
  const wineries = new Map(menu.wineries.map((winery) => [winery.id, winery]));
  const { default_locale: defaultLocale } = menu.settings;
  const shared = {
    version: menu.version,
    generatedAt: timestamp(builtAt),
    settings: JSON.stringify(menu.settings),
    theme: JSON.stringify(menu.theme),
    order: flat.map(({ section }) => section.id),
  };
  const build = (locale: Locale): BuiltLocale => {
    const work = { menu, wineries, reader: { locale, defaultLocale }, before: before?.get(locale) };
    const dishes = new Map<number, BuiltDish>();
    const sections = new Map<number, BuiltSection>();
    for (const node of flat) {
      const built = node.dishes.map((dish) => buildDish(work, dish));
      for (const one of built) dishes.set(one.dish.id, one);
      sections.set(node.section.id, buildSection(work, node, built));
    }
    const head = { ...shared, locale, tree: locale === defaultLocale ? tree.map(branchOf) : null };
    return { head, sections, dishes };
  };
  return new Map(servedLocales(menu).map((locale) => [locale, build(locale)]));
}
