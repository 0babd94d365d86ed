import { type Locale, localize, readingIn, textsIn } from '../schema/values/locale.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { type CheckedMenu, lackingFor } from './checks.ts';
import type { Reminder, Rule } from './countries/country-law.ts';
import { holdsFor, lawsOf } from './laws.ts';

/** A record that lacks a field which a rule needs. */
interface Missing {
  resource: string;
  id: number;
  /** In the language that was asked for. */
  name: string;
  field: string;
}

/** A rule, whether it holds for the restaurant, and what its menu lacks. */
export interface Checked {
  rule: Rule;
  applies: boolean;
  missing: readonly Missing[];
}

/** Sections that guests see, by the ids above them, too. */
function shownSections({ sections }: StoredMenu): StoredMenu['sections'] {
  const byId = new Map(sections.map((section) => [section.id, section]));
  const isShown = (id: number | null): boolean => {
    if (id === null) return true;
    const section = byId.get(id);
    return section?.is_active === true && isShown(section.parent_id);
  };
  return sections.filter(({ id }) => isShown(id));
}

/** The dishes that guests see or will see, in the order of the menu. */
export function dishesGuestsSee(menu: StoredMenu): StoredMenu['dishes'] {
  const place = new Map(shownSections(menu).map(({ id }, at) => [id, at]));
  return menu.dishes
    .filter((dish) => dish.is_active && place.has(dish.category_id))
    .toSorted((a, b) => Number(place.get(a.category_id)) - Number(place.get(b.category_id)));
}

function checkedMenu(menu: StoredMenu): CheckedMenu {
  const wines = shownSections(menu).filter(({ menu_type }) => menu_type === 'wine');
  const wineSections = new Set(wines.map(({ id }) => id));
  return { settings: menu.settings, dishes: dishesGuestsSee(menu), wineSections };
}

/**
 * Compares a menu with the laws of its country, a rule a step. A country without rules, and
 * a restaurant without a country, has none.
 *
 * @param today `YYYY-MM-DD`: a rule of a later day does not apply yet
 * @param locale of the records' names
 */
export function* checkMenu(
  menu: StoredMenu,
  today: string,
  locale: Locale,
): Generator<void, Checked[]> {
  const checked = checkedMenu(menu);
  const reading = { ...readingIn(locale), usual: menu.settings.default_locale };
  const rules = lawsOf(menu.settings).flatMap((law) => law.rules);
  const results: Checked[] = [];
  for (const rule of rules) {
    const applies = rule.since <= today && holdsFor(rule, menu.settings);
    const lacking = applies ? lackingFor(rule, checked) : [];
    const missing = lacking.map(({ resource, record, field }) => {
      const texts = textsIn(record.name_translations);
      const name = resource === 'settings' ? String(record.name) : localize(texts, reading);
      return { resource, id: record.id, name, field };
    });
    results.push({ rule, applies, missing });
    yield;
  }
  return results;
}

/** Demands of laws that a menu cannot show to be met. */
export function remindersOf({ settings }: Pick<StoredMenu, 'settings'>): Reminder[] {
  return lawsOf(settings)
    .flatMap((law) => law.reminders)
    .filter((one) => holdsFor(one, settings));
}
