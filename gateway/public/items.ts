import * as v from 'valibot';
import { type ItemsQuery, itemsQuerySchema } from '../../db/parameters/items.ts';
import { FALLBACK_LOCALE, isLocale, type Locale } from '../../db/records/locale.ts';
import { fold } from '../../db/snapshot/fold.ts';
import type { DishFragment } from '../../db/snapshot/snapshot.ts';
import type { FieldErrors } from '../../db/validation/messages.ts';
import { InvalidError } from '../errors.ts';
import { pagingMeta } from '../http/paging.ts';
import { parseQuery } from '../http/query.ts';
import type { ReadRoute } from '../http/route.ts';
import type { DerivedAnswers } from '../snapshots/derived-answers.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { wrapFragments } from './envelope.ts';

function readQuery(query: string): ItemsQuery {
  const result = v.safeParse(itemsQuerySchema, Object.fromEntries(parseQuery(query)));
  if (result.success) return result.output;
  throw new InvalidError(v.flatten(result.issues).nested as FieldErrors);
}

function selectDishes(snapshot: LoadedSnapshot, query: ItemsQuery): DishFragment[] {
  const { category_id, type_id, is_recommended } = query;
  const words = fold(query.search ?? '')
    .split(/\s+/)
    .filter(Boolean);
  return snapshot.dishes.filter(
    (dish) =>
      (category_id === undefined || dish.categoryId === category_id) &&
      (type_id === undefined || dish.typeId === type_id) &&
      (is_recommended === undefined || dish.recommended === is_recommended) &&
      words.every((word) => dish.text.includes(word)),
  );
}

/** Most queries name no locale, which a look at the text tells sooner than taking it apart. */
function requestedLocale(query: string): Locale | null {
  // A percent sign may hide any letter.
  const requested = /locale|%/.test(query) ? parseQuery(query).get('locale') : undefined;
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
        const wanted = readQuery(query);
        const { page, per_page } = wanted;
        const dishes = selectDishes(snapshot, wanted);
        const meta = {
          locale: snapshot.locale,
          ...pagingMeta(dishes.length, page, per_page),
        };
        const shown = dishes.slice((page - 1) * per_page, page * per_page);
        const fragments = shown.map((dish) => dish.json);
        return wrapFragments(snapshot, fragments, meta, name);
      });
    },
  };
}
