import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import {
  pairOf,
  TRANSLATION_STATES,
  type TranslationState,
} from '../../../db/schema/translation.ts';
import { ALL_LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { type MenuText, menuTexts } from '../../../db/snapshot/menu-texts.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { findStalePairs } from '../../../db/sql/stale-texts.ts';
import { parseQuery } from '../../http/query.ts';
import type { Desk } from '../desk.ts';

export const TRANSLATIONS_PATH = '/admin/translations';

/** The texts that a page shows. */
export interface TranslationQuery {
  locale: Locale;
  /** Null for all. */
  state: TranslationState | null;
  /** From 1. */
  page: number;
}

/** The languages into which a menu can be translated: those that it has. */
export function languagesOf({ request }: Desk): readonly Locale[] {
  const { fallbackLocale } = request.context.front.tenant;
  const { locales } = request.brand;
  const others = ALL_LOCALES.filter((one) => locales.includes(one) && one !== fallbackLocale);
  // Texts without one in the fallback are translated into it.
  return [...others, fallbackLocale];
}

/** The query of a page's address; what it names wrongly counts as not there. */
export function readTranslationQuery(desk: Desk): TranslationQuery {
  const asked = parseQuery(desk.request.context.query);
  const languages = languagesOf(desk);
  return {
    locale: languages.find((one) => one === asked.get('to')) ?? (languages[0] as Locale),
    state: TRANSLATION_STATES.find((one) => one === asked.get('state')) ?? null,
    page: parseRecordId(asked.get('page') ?? '') ?? 1,
  };
}

/** The address of a page. */
export function translationsPath({ locale, state, page }: TranslationQuery): string {
  const query = new URLSearchParams({
    to: locale,
    ...(state && { state }),
    ...(page > 1 && { page: String(page) }),
  });
  return `${TRANSLATIONS_PATH}?${query}`;
}

/** All texts of the menu into a language. */
export async function readTranslations(desk: Desk, locale: Locale): Promise<MenuText[]> {
  const { reportDb, request } = desk;
  return reportDb.moment(async (tx) => {
    const menu = await loadMenu(tx, request.tenantId);
    const stale = await findStalePairs(tx, request.tenantId);
    return inSlices(menuTexts(menu, locale, stale), constants.writeSlice);
  });
}

/** Names a text in a form: `items.12.variants.0.label`. */
export function menuTextKey({ resource, id, path }: MenuText): string {
  return [resource, id, ...path].join('.');
}

/** Names a text as it was when a page showed it. */
export function seenPair({ source, text }: MenuText, locale: Locale): string {
  return pairOf(locale, source.text, text);
}
