import { FALLBACK_LOCALE, isLocale, type Locale } from '../../db/schema/locale.ts';
import { dishFilters } from '../../db/schema/registry.ts';
import type { DishPart } from '../../db/snapshot/parts.ts';
import type { Run } from '../http/joined-body.ts';
import { pagingMeta } from '../http/paging.ts';
import { checkQuery, parseQuery } from '../http/query.ts';
import { type ItemsQuery, itemsQuerySchema } from '../parameters/items.ts';
import type { ReadRoute } from '../pipeline/route.ts';
import { soughtRows } from '../search/bigram-index.ts';
import { fold } from '../search/fold.js';
import { searchSection } from '../search/section-search.ts';
import type { DerivedAnswers } from '../snapshots/derived-answers.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { wrapFragments } from './envelope.ts';

function isWanted({ filters }: DishPart, query: Readonly<Record<string, unknown>>): boolean {
  return dishFilters.every(
    ({ name }) => query[name] === undefined || query[name] === filters[name],
  );
}

/** Adds a dish; in a section's JSON there is just a comma between it and the one before. */
function show(shown: Run[], source: Buffer, { start, end }: DishPart): void {
  const last = shown.at(-1);
  if (last?.source === source && last.end + 1 === start) last.end = end;
  else shown.push({ source, start, end });
}

/** The JSON of the dishes of the wanted page, and how many there are on all pages. */
function selectDishes(snapshot: LoadedSnapshot, query: ItemsQuery) {
  const { page, per_page } = query;
  const { category_id } = query as { category_id?: number };
  const words = fold(query.search ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const rows = soughtRows(words);
  const [first, end] = [(page - 1) * per_page, page * per_page];
  const shown: Run[] = [];
  let total = 0;
  for (const section of snapshot.served().sections) {
    if (category_id !== undefined && category_id !== section.id) continue;
    for (const dish of searchSection(section, words, rows)) {
      if (!isWanted(dish, query)) continue;
      if (total >= first && total < end) show(shown, section.json, dish);
      total += 1;
    }
  }
  return { shown, total };
}

/** The parameter as it may be written: its letters may be hidden behind percent signs. */
const LOCALE_PAIR =
  /(?<=^|&)(?:l|%6[Cc])(?:o|%6[Ff])(?:c|%63)(?:a|%61)(?:l|%6[Cc])(?:e|%65)(?:=[^&]*)?(?=&|$)/g;

/** Asked before the limit: whoever is refused must not have made us take his query apart. */
function requestedLocale(query: string): Locale | null {
  const last = query.match(LOCALE_PAIR)?.at(-1);
  const requested = last && parseQuery(last).get('locale');
  if (requested === undefined) return null;
  return isLocale(requested) ? requested : FALLBACK_LOCALE;
}

/** `GET /items`: dishes filtered, searched and paged, joined from the snapshot's fragments. */
export function createItemsRoute(answers: DerivedAnswers): ReadRoute {
  return {
    kind: 'read',
    method: 'GET',
    path: '/items',
    locale: (_param, query) => requestedLocale(query),
    read: ({ snapshot, query }) => {
      const name = `items?${query}`;
      return answers.derive(snapshot, name, () => {
        const wanted = checkQuery(itemsQuerySchema, query);
        const { shown, total } = selectDishes(snapshot, wanted);
        const meta = {
          locale: snapshot.locale,
          ...pagingMeta(total, wanted.page, wanted.per_page),
        };
        return wrapFragments(snapshot, shown, meta, name);
      });
    },
  };
}
