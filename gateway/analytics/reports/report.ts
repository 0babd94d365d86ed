import type { Db } from '../../../db/postgres/sql.ts';
import { memoizeAsync } from '../../../db/runtime/memoize.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import type { Embed } from '../../../db/schema/field.ts';
import type { StoredModifierGroup } from '../../../db/schema/modifier-group.ts';
import { type Locale, localize, type Translations } from '../../../db/schema/values/locale.ts';
import { arrangeMenu, flattenSections } from '../../../db/snapshot/assemble.ts';
import { factsOf } from '../../../db/snapshot/facts.ts';
import type { Period } from '../../../db/sql/counts.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import type { Tenant } from '../../snapshots/loaded-snapshot.ts';
import type { ReportFigures, ReportName } from './report-schemas.ts';

export type MenuFacts = Awaited<ReturnType<typeof loadMenuFacts>>;

/**
 * Facts about the menu beside the figures; deleted records are not part of it.
 *
 * @param locale of the names; the restaurant's default by default
 */
export async function loadMenuFacts(db: Db, tenantId: number, locale?: Locale) {
  const menu = await loadMenu(db, tenantId);
  const { default_locale, supported_locales, fallback_locale } = menu.settings;
  const reading = {
    locale: locale ?? default_locale,
    fallback: fallback_locale,
    usual: default_locale,
  };
  const visible = flattenSections(arrangeMenu(menu, new Date()));
  const visibleDishes = visible.flatMap(({ dishes }) => dishes);
  const groups = new Map<unknown, StoredModifierGroup>(
    menu.modifier_groups.map((group) => [group.id, group]),
  );
  const byId = new Map<unknown, StoredDish>(visibleDishes.map((dish) => [dish.id, dish]));
  const embed: Embed = (resource, id) =>
    (resource === 'items' ? byId.get(id) : groups.get(id)) ?? null;
  return {
    defaultLocale: default_locale,
    supportedLocales: supported_locales,
    dishes: new Map(menu.dishes.map((dish) => [dish.id, dish])),
    sections: new Map(menu.sections.map((section) => [section.id, section])),
    /** The dishes that guests can see, in the order of the menu. */
    visibleDishes,
    /** The allergens of each of them with its choices. */
    visibleFacts: visibleDishes.map((dish) => factsOf(dish, embed)),
    visibleSections: visible.map(({ section }) => section),
    /** A name in the locale that was asked for. */
    name: ({ name_translations }: { name_translations: Translations }) =>
      localize(name_translations, reading),
  };
}

/** The share that a part has of `total`, from 0 to 1 with four decimals. */
export function shareOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part * 10_000) / total) / 10_000;
}

/** By how many percent a figure changed, with one decimal; null when there was nothing before. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) * 1_000) / before) / 10;
}

/**
 * The rank of each key by its figure, the largest first; equal figures share a rank, and what is
 * zero has none.
 */
export function ranksOf<K>(figures: Iterable<readonly [K, number]>): Map<K, number> {
  const sorted = [...figures].filter(([, figure]) => figure > 0).sort(([, a], [, b]) => b - a);
  const ranks = new Map<K, number>();
  let rank = 0;
  let last = Number.NaN;
  sorted.forEach(([key, figure], index) => {
    if (figure !== last) rank = index + 1;
    last = figure;
    ranks.set(key, rank);
  });
  return ranks;
}

/** How many ranks something has risen; null when it has no rank in one of the periods. */
export function rankChange(rank: number | undefined, previous: number | undefined): number | null {
  return rank === undefined || previous === undefined ? null : previous - rank;
}

export interface ReportContext {
  db: Db;
  tenant: Pick<Tenant, 'id' | 'defaultLocale'>;
  period: Period;
  /** Longest list in the report, in entries. */
  limit: number;
  /** Read when a report asks for it first; reports that are made together share it. */
  loadMenu: () => Promise<MenuFacts>;
}

/** @param locale in which dishes are named; the restaurant's default by default */
export function createReportContext(
  given: Omit<ReportContext, 'loadMenu'>,
  locale?: Locale,
): ReportContext {
  const loadMenu = memoizeAsync(() => loadMenuFacts(given.db, given.tenant.id, locale));
  return { ...given, loadMenu };
}

/** The figures of a report; it reads roll-ups and the menu, never single events. */
export type Report<N extends ReportName = ReportName> = (
  context: ReportContext,
) => Promise<ReportFigures<N>>;
