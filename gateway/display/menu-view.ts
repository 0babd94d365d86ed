import { allergens as allergenDictionary } from '../../db/schema/allergens.ts';
import type { Locale } from '../../db/schema/locale.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import type { Settings } from '../../db/schema/settings.ts';
import type { Theme } from '../../db/schema/theme.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { readSettingsAndTheme } from '../theme/settings-and-theme.ts';
import { type PageTexts, texts } from './texts.ts';

/** What every part of a restaurant's page may need to know. */
export interface Reading {
  settings: Settings;
  theme: Theme;
  /** The page's language. */
  locale: Locale;
  texts: PageTexts;
  /** The name of each allergen in this language, and the number under which the legend has it. */
  allergens: ReadonlyMap<string, { number: number; name: string }>;
  /** A price in the restaurant's currency, as this language writes it. */
  price(amount: number): string;
}

/** A menu in one language, ready to be written as a page. */
export interface MenuView extends Reading {
  snapshot: LoadedSnapshot;
  /** The sections that contain something, nested. */
  tree: readonly SectionTree[];
}

type Section = Omit<SectionTree, 'children'>;

const CURRENCY = 'EUR';

function readSections(snapshot: LoadedSnapshot): Section[] {
  // A section's JSON lacks the brace that ends it: `/categories` adds the children there.
  return snapshot.served().sections.map(({ json }) => JSON.parse(`${json}}`) as Section);
}

/**
 * The flat list of sections as a tree without empty sections. A wine section never moves below one of
 * another kind.
 */
export function nestSections(sections: readonly Section[]): SectionTree[] {
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

export function readMenu(snapshot: LoadedSnapshot): MenuView {
  const { locale } = snapshot;
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const numbers = new Map<string, number>(
    allergenDictionary.keys.map((key, index) => [key, index + 1]),
  );
  const allergens = allergenDictionary
    .in(locale)
    .map(({ key, name }) => [key, { number: numbers.get(key) ?? 0, name }] as const);
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: CURRENCY });
  return {
    snapshot,
    settings,
    theme,
    locale,
    texts: texts[locale],
    allergens: new Map(allergens),
    price: (amount) => money.format(amount),
    tree: nestSections(readSections(snapshot)),
  };
}
