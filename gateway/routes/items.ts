import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { entriesOf } from '../../db/runtime/keys.ts';
import { allergenKinds, allergens, KINDS_OF } from '../../db/schema/dictionary.ts';
import { dish } from '../../db/schema/dish.ts';
import type { Field } from '../../db/schema/field.ts';
import { dishFilters } from '../../db/schema/registry.ts';
import { sectionTreeSchema } from '../../db/schema/section.ts';
import { rule } from '../../db/schema/validation/rule.ts';
import { listIn } from '../../db/schema/values/row.ts';
import { type DishKey, type DishPart, factsOfKey } from '../../db/snapshot/parts.ts';
import { itemsMetaSchema, pagingMeta } from '../http/envelope.ts';
import { type Run, wholeSlice } from '../http/joined-body.ts';
import { pathId } from '../http/path.ts';
import { checkQuery } from '../http/query.ts';
import { verdict, withKinds } from '../search/avoid.js';
import { soughtRows } from '../search/bigram-index.ts';
import { foldWords } from '../search/fold.js';
import { searchForgiving, searchSection } from '../search/section-search.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import {
  flagParameter,
  integerParameter,
  keysParameter,
  pagingEntries,
} from './frame/parameters.ts';
import type { ApiRoute } from './frame/services.ts';
import { localeEntry, localeIn } from './locale-query.ts';
import { answerFragment, publicRead, wrapFragments } from './public-read.ts';

const { maxSearchLength } = constants;

/** A parameter for each field of dishes that is declared as a filter. */
const filters: Record<string, v.GenericSchema<string | undefined, unknown>> = Object.fromEntries(
  dishFilters.map(({ name, field, selects }) => [name, filterParameter(field, selects)]),
);

function filterParameter({ kind, values = [] }: Field, selects: string) {
  if (kind === 'flag') return v.optional(flagParameter(selects));
  return kind === 'choices' ? keysParameter(values, selects) : integerParameter(selects);
}

const EXCLUDE =
  'Allergens that guests must avoid, or single cereals and nuts of `allergen_detail`, with commas between ' +
  'them. A dish is left out when it contains one of them, may contain one, or declares nothing; ' +
  '`meta.undeclared` counts the last. An allergen without its kinds may be any of them. It is left out, too, when ' +
  'too few of the options that guests must choose with it are free of them.';

/** SPEC, "`/items` query parameters" */
const querySchema = v.object({
  ...filters,
  exclude_allergens: keysParameter([...allergens.keys, ...allergenKinds.keys], EXCLUDE),
  search: v.optional(
    v.pipe(
      v.string(),
      v.maxCodePoints(maxSearchLength, rule('maxLength', { max: maxSearchLength })),
      v.description(
        'Every word must occur in the texts of the dish, its sizes, number, vintage, grapes or winery; ' +
          'case, accents and spellings such as `ae` for `ä` do not matter. Where no dish has them, one slip ' +
          'in a word of 4 letters or two in one of 8 are forgiven, and `meta.forgiven` says so.',
      ),
    ),
  ),
  ...localeEntry,
  ...pagingEntries,
});
type ItemsQuery = v.InferOutput<typeof querySchema>;

const KINDS = entriesOf<string, readonly string[]>(KINDS_OF);

function isEqualOrHasAll(wanted: unknown, value: unknown): boolean {
  if (!Array.isArray(wanted)) return wanted === value;
  return wanted.every((key) => listIn(value).includes(key));
}

/**
 * Selects dishes by all parameters but the search and the section. `undeclared`: the dish is left out,
 * and it does not declare its allergens.
 */
function createDishFilter(query: ItemsQuery): (dish: DishKey) => boolean | 'undeclared' {
  const { exclude_allergens: excluded = [], ...given } = query;
  const values: Readonly<Record<string, unknown>> = given;
  const filters = dishFilters.filter(({ name }) => values[name] !== undefined);
  const avoided: ReadonlySet<string> = new Set(excluded);
  return (dish) => {
    const own = dish.filters;
    if (!filters.every(({ name }) => isEqualOrHasAll(values[name], own[name]))) return false;
    if (excluded.length === 0) return true;
    const found = verdict(withKinds(factsOfKey(dish), KINDS), avoided);
    return found === 'undeclared' ? found : found !== 'contains';
  };
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
  const words = foldWords(query.search ?? '');
  // A word that may be spelled in two ways rules nothing out.
  const certain = words.flatMap((forms) => (forms.length === 1 ? forms : []));
  const rows = soughtRows(certain);
  const [first, end] = [(page - 1) * per_page, page * per_page];
  const shown: Run[] = [];
  const select = createDishFilter(query);
  let total = 0;
  let undeclared = 0;
  const menu = snapshot.served().sections;
  const sections = menu.filter(({ id }) => category_id === undefined || category_id === id);
  let found: readonly (readonly DishPart[])[] = sections.map((section) =>
    searchSection(section, words, rows),
  );
  const isForgiving = words.length > 0 && found.every(({ length }) => length === 0);
  if (isForgiving) found = searchForgiving(menu, sections, words);
  for (const [at, section] of sections.entries()) {
    for (const dish of found[at] ?? []) {
      const verdict = select(dish);
      if (verdict === 'undeclared') undeclared += 1;
      if (verdict !== true) continue;
      if (total >= first && total < end) show(shown, section.json, dish);
      total += 1;
    }
  }
  return { shown, total, undeclared, isForgiven: isForgiving && total > 0 };
}

/** `GET /items`: dishes filtered, searched and paged, joined from the snapshot's fragments. */
export const itemsRoute: ApiRoute = {
  kind: 'read',
  locale: (_param, query) => localeIn(query),
  ...publicRead('/items', {
    id: 'listItems',
    summary: 'Dishes and wines, filtered, searched and paged',
    details: 'In the order of the menu.',
    query: querySchema,
    holds: 'A page of dishes.',
    name: 'ItemsAnswer',
    isCompressed: true,
    data: v.array(dish.shown),
    meta: itemsMetaSchema,
    refusals: [414, 422],
  }),
  read: ({ snapshot, query }, { answers }) => {
    const name = `items?${query}`;
    return answers.derive(snapshot, name, () => {
      const wanted = checkQuery(querySchema, query);
      const { shown, total, undeclared, isForgiven } = selectDishes(snapshot, wanted);
      const meta = {
        locale: snapshot.locale,
        ...pagingMeta(total, wanted.page, wanted.per_page),
        ...(wanted.exclude_allergens?.length && { undeclared }),
        ...(isForgiven && { forgiven: true }),
      };
      return wrapFragments(snapshot, shown, meta, name);
    });
  },
};

function findDish(snapshot: LoadedSnapshot, id: number): Run | undefined {
  for (const { json, dishes } of snapshot.served().sections) {
    const found = dishes.all().find((one) => one.id === id);
    if (found) return { source: json, start: found.start, end: found.end };
  }
  return undefined;
}

/** `GET /items/{id}`: one dish, if it is active. */
export const itemRoute: ApiRoute = {
  kind: 'read',
  locale: (_param, query) => localeIn(query),
  ...publicRead('/items/:id', {
    id: 'getItem',
    summary: 'One dish or wine',
    query: v.object(localeEntry),
    holds: 'The dish.',
    name: 'ItemAnswer',
    isCompressed: true,
    data: dish.shown,
  }),
  read: ({ snapshot, param }, { answers }) => {
    const id = pathId(param);
    return answerFragment(answers, snapshot, `items/${id}`, findDish(snapshot, id));
  },
};

/** `GET /categories/{id}`: one section, if it is active. */
export const categoryRoute: ApiRoute = {
  kind: 'read',
  locale: (_param, query) => localeIn(query),
  ...publicRead('/categories/:id', {
    id: 'getCategory',
    summary: 'One section',
    query: v.object(localeEntry),
    holds: 'The section.',
    name: 'CategoryAnswer',
    isCompressed: true,
    data: sectionTreeSchema,
  }),
  read: ({ snapshot, param }, { answers }) => {
    const id = pathId(param);
    const branch = snapshot.served().branches().get(id);
    return answerFragment(answers, snapshot, `categories/${id}`, branch && wholeSlice(branch));
  },
};
