import { defaultsOf, toStored, viewRecord } from '../../db/schema/record.ts';
import { type Resource, records } from '../../db/schema/registry.ts';
import { localize, readingIn } from '../../db/schema/values/locale.ts';

// Example bodies of an imaginary trattoria.

const meta = { generated_at: '2026-01-15T18:30:00+00:00' };
const paging = { total: 1, page: 1, per_page: 50, last_page: 1 };
const times = {
  created_at: '2026-01-15T18:30:00.000Z',
  updated_at: '2026-01-15T18:30:00.000Z',
  deleted_at: null,
};

/** The declared example of a record, with defaults for what it leaves out, as readers see it. */
function exampleOf(resource: Resource, isAdmin = false): Record<string, unknown> {
  const record = records[resource];
  const row = toStored(record, { display_order: 0, ...defaultsOf(record), ...record.example });
  return viewRecord(record, row, { read: (texts) => localize(texts, readingIn('it')), isAdmin });
}

const category = exampleOf('categories');
const dish = exampleOf('items');
const type = exampleOf('types');
const settings = exampleOf('settings');
const theme = exampleOf('theme');
const listed = { ...category, items: [dish], types: [type] };
const tree = { ...listed, children: [] };

/** The envelope of a success. */
export function success(data: unknown, more: object = {}) {
  return { success: true, data, meta: { ...meta, ...more } };
}

/** Answers of the public API, by their schemas. */
export const publicExamples = {
  MenuAnswer: success({ settings, theme, sections: [listed] }, { locale: 'it' }),
  RestaurantAnswer: success(settings),
  ThemeAnswer: success(theme),
  CategoriesAnswer: success([tree]),
  CategoryAnswer: success(tree),
  ItemsAnswer: success([dish], { locale: 'it', ...paging }),
  ItemAnswer: success(dish),
  AllergensAnswer: success([{ key: 'latte', name: 'Latte' }]),
  AdditivesAnswer: success([{ key: 'sulphured', name: 'Solforato' }]),
  LabelsAnswer: success([{ key: 'vegan', name: 'Vegano' }]),
};

/** Answers about a record of each resource. */
export function recordExamples(resource: Resource) {
  const { isSingleton } = records[resource];
  const shown = exampleOf(resource, true);
  const data = { ...shown, ...(isSingleton ? { updated_at: times.updated_at } : times) };
  return {
    answer: success(data),
    list: success([data], paging),
    outdated: { success: false, message: 'Precondition Failed', data },
  };
}

/** A body that creates a record of a resource, or changes one. */
export function bodyExample(resource: Resource): Record<string, unknown> {
  const { example, fields } = records[resource];
  return Object.fromEntries(Object.entries(example).filter(([name]) => fields[name]?.input));
}

export const JOB_ID = '019b8e3c-5a3e-7c1a-9f00-2f6d1c7e4b11';
