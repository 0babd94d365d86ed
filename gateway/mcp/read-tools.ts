import * as v from 'valibot';
import { keysOf } from '../../db/runtime/keys.ts';
import { localeSchema } from '../../db/schema/values/locale.ts';
import { listIn } from '../../db/schema/values/row.ts';
import { DISH_STATES, listDishes } from '../../db/sql/dishes.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { unavailable } from '../http/errors.ts';
import { compactMenu } from './compact-menu.ts';
import { type Answered, MAX_ANSWER_BYTES, type Shop, ToolError, tool } from './tool.ts';

/** Most dishes that a search reads. */
const MAX_FOUND = 1_000;
const REPORTS = ['overview', 'items', 'sections', 'allergens', 'searches', 'insights'] as const;

export const from = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description('Where the list begins: `next_from` of the answer before.'),
  ),
  0,
);
const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const locale = v.optional(v.pipe(localeSchema, v.description('Language of the texts.')));

const findDishes = tool({
  name: 'find_dishes',
  title: 'Find dishes',
  description:
    'Finds dishes and wines by a part of their name, their section, their state or a label. Gives ids, names and prices.',
  scope: 'menu:read',
  isRead: true,
  input: v.object({
    text: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(200),
        v.description('A part of the name, in any language.'),
      ),
    ),
    section_id: v.optional(v.pipe(id, v.description('The section.'))),
    state: v.optional(
      v.pipe(
        v.picklist(DISH_STATES),
        v.description(
          '`undeclared`: no allergens declared; `untranslated`: a name or description is missing in a language.',
        ),
      ),
    ),
    label: v.optional(
      v.pipe(v.string(), v.maxLength(40), v.description('A label, such as `vegan`.')),
    ),
    from,
  }),
  run: async ({ text, section_id, state, label, from: start }, { db, tenant }) => {
    const search = {
      ...(text !== undefined && { text }),
      ...(section_id !== undefined && { sectionId: section_id }),
      ...(state !== undefined && { state }),
      limit: MAX_FOUND,
    };
    const found = await listDishes(db, tenant.id, search).catch(
      unavailable('could not find dishes'),
    );
    const dishes = found.filter(
      ({ data }) => label === undefined || listIn(data.labels).includes(label),
    );
    return {
      head: { found: dishes.length },
      name: 'dishes',
      from: start,
      list: dishes.slice(start).map(({ data }) => ({
        ...{ id: data.id, external_id: data.external_id, name: data.name_translations },
        ...{ section_id: data.category_id, price: data.price, is_active: data.is_active },
        ...{ is_sold_out: data.is_sold_out },
        allergens: data.allergens_declared ? data.allergens : null,
      })),
    };
  },
});

/** A record whose JSON may be too long: the longest fields are left out, and named. */
function fitting(record: Record<string, unknown>): Answered {
  const kept = { ...record };
  const left: string[] = [];
  const bytes = () => Buffer.byteLength(JSON.stringify(kept));
  const byLength = keysOf(kept)
    .map((name) => ({ name, length: JSON.stringify(kept[name]).length }))
    .sort((one, other) => other.length - one.length);
  for (const { name } of byLength) {
    if (bytes() < MAX_ANSWER_BYTES - 1_024) break;
    delete kept[name];
    left.push(name);
  }
  return { head: { ...kept, ...(left.length > 0 && { left_out: left }) } };
}

const getDish = tool({
  name: 'get_dish',
  title: 'Show a dish',
  description:
    'Shows all fields of one dish. With `fields` only those, when all of them are too long.',
  scope: 'menu:read',
  isRead: true,
  input: v.object({
    id: v.pipe(id, v.description('The id of the dish: `find_dishes` gives it.')),
    fields: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(60), v.description('Names of fields.')),
    ),
  }),
  run: async ({ id: dishId, fields }, { ask }) => {
    const { json } = await ask('showMenuItem', { param: dishId });
    const dish = json.data as Record<string, unknown>;
    const wanted = fields?.filter((name) => Object.hasOwn(dish, name));
    return fitting(wanted ? Object.fromEntries(wanted.map((name) => [name, dish[name]])) : dish);
  },
});

const getMenu = tool({
  name: 'get_menu',
  title: 'Read the menu',
  description:
    'The menu as guests see it now: sections, dishes, prices and allergens. `allergens` null: not declared.',
  scope: 'menu:read',
  isRead: true,
  input: v.object({ locale, from }),
  run: async ({ locale: asked, from: start }, { db, tenant }) => {
    const menu = await loadMenu(db, tenant.id).catch(unavailable('could not read a menu'));
    const language = asked ?? tenant.defaultLocale;
    const list = menu ? compactMenu(menu, language, new Date()) : [];
    const head = { locale: language, currency: tenant.currency, entries: list.length };
    return { head, name: 'menu', from: start, list: list.slice(start) };
  },
});

const getHistory = tool({
  name: 'get_history',
  title: 'Read the history',
  description:
    'The versions of the menu, the last one first: who changed what. With `version` the changes of that one.',
  scope: 'menu:read',
  isRead: true,
  input: v.object({
    version: v.optional(v.pipe(id, v.description('A version of the menu.'))),
    page: v.optional(v.pipe(id, v.description('Which page of versions, from 1.')), 1),
    from,
  }),
  run: async ({ version, page, from: start }, { ask }) => {
    if (version === undefined) {
      const { json } = await ask('listVersions', { query: { page, per_page: 20 } });
      return {
        head: { page, pages: json.meta?.last_page },
        name: 'versions',
        list: json.data as unknown[],
      };
    }
    const { json } = await ask('showVersion', { param: version });
    const { changes, parts: _parts, ...head } = json.data as { changes: unknown[]; parts: unknown };
    return { head, name: 'changes', from: start, list: changes.slice(start) };
  },
});

const getStatistics = tool({
  name: 'get_statistics',
  title: 'Read statistics',
  description:
    'Figures of guests: `overview`, `items`, `sections`, `allergens`, `searches` (not found), `insights`.',
  scope: 'analytics:read',
  isRead: true,
  input: v.object({
    report: v.pipe(v.picklist(REPORTS), v.description('Which report.')),
    from_day: v.optional(
      v.pipe(v.string(), v.isoDate(), v.description('First day, such as 2026-01-31.')),
    ),
    to_day: v.optional(v.pipe(v.string(), v.isoDate(), v.description('Last day.'))),
  }),
  run: async ({ report, from_day, to_day }, { ask }) => {
    const title = `${report[0]?.toUpperCase()}${report.slice(1)}`;
    const { json } = await ask(`get${title}Report`, { query: { from: from_day, to: to_day } });
    const data = json.data as Record<string, unknown>;
    const shortened = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.slice(0, 15) : value,
      ]),
    );
    return fitting(shortened);
  },
});

/** A language of the menu in which the restaurant wants texts, but its own. */
function otherLanguages({ tenant }: Shop): string[] {
  return tenant.supportedLocales.filter((one) => one !== tenant.defaultLocale);
}

/** A rule of the checklist. */
interface LawRule {
  rule: string;
  law: string;
  title: string;
  missing: readonly object[];
}

const listProblems = tool({
  name: 'list_problems',
  title: 'List problems',
  description:
    'Dishes that declare no allergens, texts that are missing or stale in a language, and what the law of the country lacks. ' +
    'Only a person who knows the recipe may declare allergens.',
  scope: 'menu:read',
  isRead: true,
  input: v.object({ from }),
  run: async ({ from: start }, shop) => {
    const { db, tenant, ask } = shop;
    const search = { state: 'undeclared', limit: MAX_FOUND } as const;
    const undeclared = await listDishes(db, tenant.id, search).catch(
      unavailable('could not find dishes'),
    );
    const list: object[] = undeclared.map(({ id: dishId, data }) => ({
      ...{ problem: 'undeclared', resource: 'items', id: dishId, name: data.name_translations },
      field: 'allergens',
    }));
    for (const language of otherLanguages(shop)) {
      for (const state of ['missing', 'stale']) {
        const query = { locale: language, state, per_page: 100 };
        const { json } = await ask('listTranslations', { query });
        for (const one of json.data as {
          resource: string;
          id: number;
          path: string;
          source: string;
        }[])
          list.push({
            ...{ problem: `${state}Text`, locale: language, resource: one.resource, id: one.id },
            ...{ field: one.path, source: one.source.slice(0, 120) },
          });
      }
    }
    const { json } = await ask('getChecklist', { query: { locale: 'en' } });
    for (const { rule, law, title, missing } of json.data as LawRule[])
      for (const one of missing) list.push({ problem: 'law', rule, law, title, ...one });
    if (start > list.length)
      throw new ToolError(`The list has ${list.length} entries: take a smaller \`from\`.`);
    return { head: { found: list.length }, name: 'problems', from: start, list: list.slice(start) };
  },
});

export const readTools = [findDishes, getDish, getMenu, listProblems, getHistory, getStatistics];
