import * as v from 'valibot';
import { groupBy } from '../../db/runtime/group-by.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { counted, described } from '../../db/schema/validation/described-as.ts';
import {
  localeSchema,
  localize,
  readingIn,
  type Translations,
} from '../../db/schema/values/locale.ts';
import type { Row } from '../../db/schema/values/row.ts';
import type { Change, entryEntries } from '../../db/schema/version.ts';
import { menuTexts } from '../../db/snapshot/menu-texts.ts';
import { countDishes, DISH_STATES, listDishes } from '../../db/sql/dishes.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { findStalePairs } from '../../db/sql/stale-texts.ts';
import { unavailable } from '../http/errors.ts';
import type { LawRule } from '../routes/checklist.ts';
import { changeInWords } from './change-in-words.ts';
import { compactMenu } from './compact-menu.ts';
import { fitting, pageOf, type Shop, textUpTo, tool } from './tool.ts';

/** More dishes never have room in an answer. */
const MOST_SHOWN = 100;
/** Most dishes without allergens that are listed. */
const MAX_FOUND = 1_000;
/** Rows of each list of a report. */
const MAX_ROWS = 15;
const REPORTS = ['overview', 'items', 'sections', 'allergens', 'searches', 'insights'] as const;

export const from = v.optional(
  counted('Where the list begins: `next_from` of the answer before.'),
  0,
);
export const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const locale = v.optional(described(localeSchema, 'Language of the texts.'));

/** The name of a dish in the restaurant's own language. */
function nameOf({ name_translations: name }: Row, { defaultLocale }: Shop['tenant']): string {
  return localize(name as Translations, readingIn(defaultLocale));
}

const findDishes = tool({
  name: 'find_dishes',
  title: 'Find dishes',
  description:
    'Finds dishes and wines by a part of their name, their section, their state or a label. Gives ids, names and prices.',
  scope: 'menu:read',
  input: v.object({
    text: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(200),
        v.description('A part of the name, in any language.'),
      ),
    ),
    section_id: v.optional(described(id, 'The section.')),
    state: v.optional(
      described(
        v.picklist(DISH_STATES),
        '`undeclared`: no allergens declared; `untranslated`: a name or description is missing in a language.',
      ),
    ),
    label: v.optional(textUpTo(40, 'A label, such as `vegan`.')),
    from,
  }),
  run: async ({ text, section_id, state, label, from: start }, { db, tenant }) => {
    const search = {
      ...(text !== undefined && { text }),
      ...(section_id !== undefined && { sectionId: section_id }),
      ...(state !== undefined && { state }),
      ...(label !== undefined && { label }),
    };
    const [found, total] = await Promise.all([
      listDishes(db, tenant.id, { ...search, limit: start + MOST_SHOWN }),
      countDishes(db, tenant.id, search),
    ]).catch(unavailable('could not find dishes'));
    const list = found.slice(start).map(({ data }) => ({
      ...{ id: data.id, external_id: data.external_id, name: nameOf(data, tenant) },
      ...{ section_id: data.category_id, price: data.price, is_active: data.is_active },
      ...{ is_sold_out: data.is_sold_out },
      allergens: data.allergens_declared ? data.allergens : null,
    }));
    return { head: { found: total }, name: 'dishes', from: start, list, total };
  },
});

const getDish = tool({
  name: 'get_dish',
  title: 'Show a dish',
  description:
    'Shows all fields of one dish. With `fields` only those, when all of them are too long.',
  scope: 'menu:read',
  input: v.object({
    id: described(id, 'The id of the dish: `find_dishes` gives it.'),
    fields: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(60), v.description('Names of fields.')),
    ),
  }),
  run: async ({ id: dishId, fields }, { ask }) => {
    const { json } = await ask('showMenuItem', { param: dishId });
    const dish = json.data as Record<string, unknown>;
    const wanted = fields?.filter((name) => Object.hasOwn(dish, name));
    return {
      head: fitting(wanted ? Object.fromEntries(wanted.map((name) => [name, dish[name]])) : dish),
    };
  },
});

const getMenu = tool({
  name: 'get_menu',
  title: 'Read the menu',
  description:
    'The menu as guests see it now: sections, dishes, prices and allergens. `allergens` null: not declared.',
  scope: 'menu:read',
  input: v.object({ locale, from }),
  run: async ({ locale: asked, from: start }, { db, tenant }) => {
    const menu = await loadMenu(db, tenant.id).catch(unavailable('could not read a menu'));
    const language = asked ?? tenant.defaultLocale;
    const list = menu ? compactMenu(menu, language, new Date()) : [];
    const { currency } = tenant;
    return pageOf('menu', list, start, { locale: language, currency, entries: list.length });
  },
});

/** Versions on a page of the history. */
const VERSIONS = 10;
/** Writes that are named of those that share a version. */
const PARTS = 5;

type Entry = v.InferOutput<v.ObjectSchema<typeof entryEntries, undefined>>;

/** Who wrote and how, briefly. */
function authorOf({ actor, origin, counts, confirmed_by }: Entry) {
  const changed = Object.entries(counts).filter(([, count]) => count > 0);
  return {
    ...{ by: actor.name ?? actor.kind, origin, ...Object.fromEntries(changed) },
    ...(confirmed_by !== null && { confirmed_by }),
  };
}

/** The entries of versions, each with the writes that share it. */
function versionsOf(entries: readonly Entry[]) {
  return [...groupBy(entries, ({ version }) => version)].map(([version, parts]) => ({
    ...{ version, at: parts[0]?.at, writes: parts.slice(0, PARTS).map(authorOf) },
    ...(parts.length > PARTS && { more_writes: parts.length - PARTS }),
  }));
}

const getHistory = tool({
  name: 'get_history',
  title: 'Read the history',
  description:
    'The versions of the menu, the last one first: who changed what. With `version` the changes of that one.',
  scope: 'menu:read',
  input: v.object({
    version: v.optional(described(id, 'A version of the menu.')),
    before: v.optional(described(id, 'Only earlier versions: `next_before` of the answer before.')),
    from,
  }),
  run: async ({ version, before, from: start }, { ask }) => {
    if (version === undefined) {
      const { json } = await ask('listVersions', { query: { before, limit: VERSIONS } });
      const list = versionsOf(json.data as Entry[]);
      const total = list.length + (list.length === VERSIONS ? 1 : 0);
      const next = (shown: number) => ({ next_before: list[shown - 1]?.version });
      return { name: 'versions', list, total, next };
    }
    const { json } = await ask('showVersion', { param: version });
    const { changes, parts } = json.data as { changes: Change[]; parts: Entry[] };
    const list = changes.map(({ action, fields, ...change }) =>
      changeInWords({ ...change, outcome: action, changes: fields }),
    );
    return pageOf('changes', list, start, { ...versionsOf(parts)[0], changed: list.length });
  },
});

const getStatistics = tool({
  name: 'get_statistics',
  title: 'Read statistics',
  description:
    'Figures of guests: `overview`, `items`, `sections`, `allergens`, `searches` (not found), `insights`.',
  scope: 'analytics:read',
  input: v.object({
    report: described(v.picklist(REPORTS), 'Which report.'),
    from_day: v.optional(
      v.pipe(v.string(), v.isoDate(), v.description('First day, such as 2026-01-31.')),
    ),
    to_day: v.optional(v.pipe(v.string(), v.isoDate(), v.description('Last day.'))),
  }),
  run: async ({ report, from_day, to_day }, { ask }) => {
    const title = `${report[0]?.toUpperCase()}${report.slice(1)}`;
    const { json } = await ask(`get${title}Report`, { query: { from: from_day, to: to_day } });
    const data = Object.entries(json.data as Record<string, unknown>);
    const kept = data.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, MAX_ROWS) : value,
    ]);
    const longer = data.flatMap(([name, value]) =>
      Array.isArray(value) && value.length > MAX_ROWS ? [[name, value.length - MAX_ROWS]] : [],
    );
    const more = longer.length > 0 && { more_rows: Object.fromEntries(longer) };
    return { head: fitting({ ...Object.fromEntries(kept), ...more }) };
  },
});

/** The texts that are missing or stale in the other languages. */
async function textProblems(shop: Shop): Promise<object[]> {
  const { db, tenant } = shop;
  const [menu, stale] = await Promise.all([
    loadMenu(db, tenant.id),
    findStalePairs(db, tenant.id),
  ]).catch(unavailable('could not read a menu'));
  const list: object[] = [];
  for (const locale of tenant.supportedLocales.filter((one) => one !== tenant.defaultLocale)) {
    const texts = await inSlices(menuTexts(menu, locale, stale));
    for (const { resource, id, path, source, state } of texts)
      if (state !== 'done')
        list.push({
          ...{ problem: `${state}Text`, locale, resource, id, field: path.join('.') },
          source: source.text.slice(0, 120),
        });
  }
  return list;
}

const listProblems = tool({
  name: 'list_problems',
  title: 'List problems',
  description:
    'Dishes that declare no allergens, texts that are missing or stale in a language, and what the law of the country lacks. ' +
    'Only a person who knows the recipe may declare allergens.',
  scope: 'menu:read',
  input: v.object({ from }),
  run: async ({ from: start }, shop) => {
    const { db, tenant, ask } = shop;
    const search = { state: 'undeclared', limit: MAX_FOUND } as const;
    const undeclared = await listDishes(db, tenant.id, search).catch(
      unavailable('could not find dishes'),
    );
    const list: object[] = undeclared.map(({ id: dishId, data }) => ({
      ...{ problem: 'undeclared', resource: 'items', id: dishId, name: nameOf(data, tenant) },
      field: 'allergens',
    }));
    list.push(...(await textProblems(shop)));
    const { json } = await ask('getChecklist', { query: { locale: 'en' } });
    for (const { rule, law, title, missing } of json.data as LawRule[])
      for (const one of missing) list.push({ problem: 'law', rule, law, title, ...one });
    return pageOf('problems', list, start, { found: list.length });
  },
});

export const readTools = [findDishes, getDish, getMenu, listProblems, getHistory, getStatistics];
