import fc from 'fast-check';
import * as v from 'valibot';
import { withKeptAvailability } from '../../db/schema/availability.ts';
import { DOCUMENT_FORMAT } from '../../db/schema/bulk.ts';
import { ALLERGEN_OF } from '../../db/schema/dictionary.ts';
import type { Field, FieldKind } from '../../db/schema/field.ts';
import { documentValue } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { LOCALES } from '../../db/schema/values/locale.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import type { Resource } from '../../db/schema/values/resource.ts';
import { isObject } from '../../db/schema/values/row.ts';

// Random menus, made from the declarations of records. Records have few external ids, so that each
// menu is an edit of the one before.

export type Row = Record<string, unknown>;
/** The lists of a menu. */
type MenuCollection = 'categories' | 'types' | 'wineries' | 'modifier_groups' | 'items';
type MenuLists = Record<MenuCollection, Row[]>;
export interface RandomMenu extends MenuLists {
  format: string;
  settings: Row;
  theme: Row;
}

const TEXTS = [
  ...['', 'Prosa', 'Ünïcödé 🍝', 'd\'oro "x"', '=1+1', 'a@b.it', 'EUR', 'USD', 'Europe/Rome'],
  ...['Georgia, serif', 'Arial', '4px', '12px', 'America/New_York', '/logo.png'],
];
const texts = fc.constantFrom(...TEXTS);
const inLanguages = fc.dictionary(fc.constantFrom(...LOCALES), fc.option(texts));
const price = fc.integer({ min: 0, max: 9_999 }).map((cents) => cents / 100);

/** Values of each kind; a field takes those that its own rules allow. */
const kinds: Record<
  Exclude<FieldKind, 'reference' | 'references' | 'embedded' | 'sources' | 'slug' | 'list'>,
  fc.Arbitrary<unknown>
> = {
  text: texts,
  localized: inLanguages,
  url: fc.constantFrom('', null, 'https://a.example/b', '/c.png'),
  color: fc.constantFrom('#000000', '#Ab12eF'),
  flag: fc.boolean(),
  integer: fc.option(fc.integer({ min: 0, max: 2_300 })),
  decimal: fc.option(fc.integer({ min: 0, max: 1_100 }).map((tenths) => tenths / 10)),
  country: fc.constantFrom(null, 'IT', 'US', 'EU', 'non_EU'),
  price,
  urls: fc.uniqueArray(fc.constantFrom('https://a.example/b', 'https://b.example/')),
  time: fc.constantFrom('00:00', '12:30', '23:59'),
  date: fc.constantFrom(null, '2026-02-28', '2026-12-31'),
  weekdays: fc.constantFrom(null, [1], [2, 6, 7]),
  moment: fc.constantFrom(null, 'indefinitely', '2099-01-02T03:04:05Z'),
  instant: fc.constantFrom(null, '2098-01-02T03:04:05Z', '2099-01-02T03:04:05Z'),
  choice: fc.constant(null),
  choices: fc.constant([]),
};

function valuesOf(field: Field): fc.Arbitrary<unknown> {
  const { values, input, kind, isTranslated, parts } = field as Field & {
    values?: readonly string[];
  };
  const schema = input as v.GenericSchema;
  const base = () => {
    if (parts) {
      const row = Object.entries(parts).map(([name, part]) => [name, valuesOf(part)]);
      return fc.array(fc.record(Object.fromEntries(row)), { maxLength: 3 });
    }
    if (isTranslated) return inLanguages.map((more) => ({ it: 'Nome', ...more }));
    if (kind === 'choice' && values) return fc.constantFrom<unknown>(null, ...values);
    if (kind === 'choices' && values) {
      return fc.option(fc.subarray([...values], { maxLength: 4 }));
    }
    return kinds[kind as keyof typeof kinds];
  };
  return base().filter((value) => v.safeParse(schema, value).success);
}

/** Fields whose values must fit each other: a document always has them. */
const OWN =
  'name|price|variants|options|weekdays|hours|allergens|traces|allergen_detail|(non_)?vintage|country|region';
const TOGETHER = new RegExp(`^(${OWN}|(display|time|date|visible)_.*|.*_locales?)$`);

/** Makes values fit that were chosen one by one. */
function fit(row: Row): Row {
  const fitted = { ...row };
  if ('time_start' in row && row.time_start === null) fitted.time_end = null;
  if ('hours' in row) {
    // The first window stands in fields of its own, too.
    const { weekdays, time_start, time_end } = fitted;
    const first = { weekdays, time_start, time_end };
    const isEmpty = weekdays === null && time_start === null;
    const further = (row.hours as Row[]).filter((window) => window.time_start !== null);
    fitted.hours = isEmpty ? [] : [first, ...further];
  }
  if ('date_start' in row) {
    const dates = [row.date_start, row.date_end]
      .filter((date) => date !== null)
      .sort((left, right) => (String(left) < String(right) ? -1 : 1));
    [fitted.date_start = null, fitted.date_end = null] = dates;
  }
  const { visible_from: from, visible_until: end } = row;
  if (from && end && String(from) >= String(end)) fitted.visible_until = null;
  if (Array.isArray(row.traces)) {
    const contained = (row.allergens ?? []) as unknown[];
    fitted.traces = row.traces.filter((key) => !contained.includes(key));
  }
  if (Array.isArray(row.allergen_detail)) {
    const named = [row.allergens, row.traces].flat();
    fitted.allergen_detail = row.allergen_detail.filter((kind) => {
      return named.includes(ALLERGEN_OF.get(kind));
    });
  }
  if ('vintage' in row && row.vintage !== null) fitted.non_vintage = false;
  if ('region' in row) fitted.region = row.country === 'US' ? 'US-CA' : '';
  if (Array.isArray(row.supported_locales)) {
    fitted.supported_locales = [...new Set([...row.supported_locales, row.default_locale])];
  }
  return fitted;
}

function fieldsOf(resource: Resource): [string, Field][] {
  return Object.entries<Field>(records[resource].fields).filter(
    ([name, field]) => field.input !== null && field.target === undefined && name !== 'external_id',
  );
}

/** A record's own fields, with values that their rules allow; references are the caller's. */
export function rowOf(resource: Resource): fc.Arbitrary<Row> {
  const shape = fieldsOf(resource).map(([name, field]) => {
    const values = valuesOf(field);
    return [name, TOGETHER.test(name) ? values : fc.option(values, { nil: undefined })] as const;
  });
  return fc
    .record(Object.fromEntries(shape))
    .map((row) =>
      fit(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))),
    );
}

const SECTIONS = 4;
const COUNTS: Record<MenuCollection, number> = {
  categories: SECTIONS,
  types: 3,
  wineries: 2,
  modifier_groups: 2,
  items: 6,
};

interface Choice {
  row: Row;
  present: boolean;
  within: number;
  other: boolean;
}

/** Writes its names in the language that a restaurant's names must have. */
function withNames(row: Row, language: string): Row {
  const inLanguage = (texts: unknown, text: string) => {
    const given = texts as Record<string, string>;
    return { ...given, [language]: given[language] || text };
  };
  const { name, variants } = row;
  const sizes = variants as { label: unknown }[] | undefined;
  return {
    ...row,
    ...(typeof name === 'object' && { name: inLanguage(name, 'Nome') }),
    ...(sizes && {
      variants: sizes.map((size) => ({ ...size, label: inLanguage(size.label, 'Misura') })),
    }),
  };
}

/** A type always stands in the same section; each section stands in one of those before it. */
function assemble(chosen: Record<MenuCollection, Choice[]>, settings: Row, theme: Row): RandomMenu {
  const present = (list: MenuCollection) =>
    chosen[list].map((choice, at) => ({ ...choice, at })).filter((choice) => choice.present);
  const named = (row: Row) => withNames(row, String(settings.fallback_locale));
  const sections = present('categories').map(({ at }) => at);
  const types = present('types').filter(({ at }) => sections.includes(at));
  const wineries = present('wineries');
  const groups = present('modifier_groups').map(({ at }) => `modifier_groups-${at}`);
  return {
    format: DOCUMENT_FORMAT,
    settings,
    theme,
    wineries: wineries.map(({ row, at }) => ({ external_id: `wineries-${at}`, ...row })),
    modifier_groups: present('modifier_groups').map(({ row, at, other }) => {
      const counts = { min: other ? 1 : 0, max: other ? null : 2 };
      return { external_id: `modifier_groups-${at}`, ...named(row), ...counts };
    }),
    categories: present('categories').map(({ row, at, within, other }) => {
      const above = sections.filter((one) => one < at);
      const parent =
        other && above.length > 0 ? `categories-${above[within % above.length]}` : null;
      return { external_id: `categories-${at}`, parent_external_id: parent, ...named(row) };
    }),
    types: types.map(({ row, at }) => ({
      external_id: `types-${at}`,
      category_external_id: `categories-${at}`,
      ...named(row),
    })),
    items: (sections.length === 0 ? [] : present('items')).map(({ row, at, within, other }) => {
      const section = sections[within % sections.length];
      const hasType = other && types.some((type) => type.at === section);
      const winery = other ? wineries[within % (wineries.length || 1)] : undefined;
      return {
        external_id: `items-${at}`,
        category_external_id: `categories-${section}`,
        type_external_id: hasType ? `types-${section}` : null,
        modifier_group_external_ids: other ? groups : groups.slice(1),
        winery_external_id: winery ? `wineries-${winery.at}` : null,
        ...named(row),
      };
    }),
  };
}

export const randomMenu: fc.Arbitrary<RandomMenu> = fc
  .record({
    chosen: fc.record(
      Object.fromEntries(
        Object.entries(COUNTS).map(([collection, count]) => [
          collection,
          fc.array(
            fc.record({
              row: rowOf(collection as MenuCollection),
              present: fc.boolean(),
              within: fc.nat(11),
              other: fc.boolean(),
            }),
            { minLength: count, maxLength: count },
          ),
        ]),
      ),
    ),
    settings: rowOf('settings'),
    theme: rowOf('theme'),
  })
  .map(({ chosen, settings, theme }) =>
    assemble(chosen as unknown as Record<MenuCollection, Choice[]>, settings, theme),
  );

/** A text with the languages that a document leaves out; null and '' take one away. */
const mergedTexts = (sent: unknown, before: unknown) =>
  isObject(sent) ? { ...(isObject(before) ? before : {}), ...sent } : sent;

/** The exported form of a row that was sent, over its former values. */
export function expectedRow(resource: Resource, sent: Row, before: Row | undefined): Row {
  const { fields } = records[resource];
  const row: Row = { ...before };
  for (const [name, field] of fieldsOf(resource)) {
    if (name in sent) {
      const value = field.isTranslated ? mergedTexts(sent[name], row[name]) : sent[name];
      row[name] = documentValue(field, v.parse(field.input as v.GenericSchema, value));
    } else if (!before) {
      row[name] = field.kind === 'choices' && name === 'allergens' ? null : field.options.default;
    }
  }
  for (const [name, { target }] of Object.entries<Field>(fields)) {
    const keys = target === undefined ? undefined : sent[externalName(name)];
    // An export leaves a list of no keys out.
    const isNone = keys === null || (Array.isArray(keys) && keys.length === 0);
    if (target !== undefined) row[externalName(name)] = isNone ? undefined : keys;
  }
  // A dish that is sold again needs no word on why it was not.
  if (sent.sold_out_until === null && !('sold_out_note' in sent)) row.sold_out_note = {};
  const sizes = (row.variants ?? []) as { price: number }[];
  if (sizes.length > 0) row.price = Math.min(...sizes.map((size) => size.price));
  // Sizes and options stay sold out where a list does not say it: see kept-availability.test.ts.
  const kept = withKeptAvailability(records[resource], row, before);
  return JSON.parse(JSON.stringify({ ...kept, external_id: sent.external_id }));
}

/** A row of an export without the ids of this installation. */
export function withoutIds(resource: Resource, row: Row): Row {
  const references = Object.entries<Field>(records[resource].fields).filter(
    ([, one]) => one.target,
  );
  const ids = new Set(['id', ...references.map(([name]) => name)]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !ids.has(name)));
}
