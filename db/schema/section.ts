import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { dish } from './dish.ts';
import type { ShownOf, StoredOf } from './field.ts';
import { sectionHours } from './hours.ts';
import {
  choice,
  date,
  displayOrder,
  embedded,
  externalId,
  flag,
  localizedText,
  nullableReference,
  reference,
  requiredTranslations,
  time,
  visibility,
  weekdays,
} from './kinds.ts';
import { photo } from './photo.ts';
import { defineRecord, isSame } from './record.ts';
import { described } from './validation/described-as.ts';
import { broken, type FieldErrors } from './validation/rule.ts';
import { type Row, rowsIn } from './values/row.ts';
import { visibleMoments } from './visibility.ts';

// A section's hours are one list for those who know it, and three fields of its first window for the
// others. The row keeps the window in the fields, and the further ones under `hours`.

/** The fields of the first window, which the list says, too. */
export const FIRST_WINDOW = ['weekdays', 'time_start', 'time_end'] as const;

type Window = Record<(typeof FIRST_WINDOW)[number], unknown>;

const windowOf = ({ weekdays = null, time_start = null, time_end = null }: Row): Window => {
  return { weekdays, time_start, time_end };
};
const isEmpty = (window: Window) => FIRST_WINDOW.every((name) => window[name] === null);
const windowsIn = (row: Row) => rowsIn(row.hours).map(windowOf);

/** All windows of a stored row. */
function hoursOf(row: Row): Window[] {
  const first = windowOf(row);
  return isEmpty(first) ? [] : [first, ...windowsIn(row)];
}

/** Whether a body changes the hours by the list, and not by sending back what it has read. */
function changesList(input: Row, current: Row): boolean {
  return input.hours !== undefined && !isSame(input.hours, hoursOf(current));
}

/** The fields in which a body changes the first window. */
function changedFirst(input: Row, current: Row): (keyof Window)[] {
  const before = windowOf(current);
  return FIRST_WINDOW.filter(
    (name) => input[name] !== undefined && !isSame(input[name], before[name]),
  );
}

/** The error of a body that changes the list and the fields of its first window in different ways. */
function hoursErrors(input: Row, current: Row = {}): FieldErrors {
  if (!changesList(input, current)) return {};
  const [first = windowOf({})] = windowsIn(input);
  const fields = changedFirst(input, current).filter((name) => !isSame(input[name], first[name]));
  return fields.length > 0 ? { hours: [broken('otherWindow', { fields })] } : {};
}

/** The values that a write of hours stores, by whichever of its two forms. */
function deriveHours(input: Row, current: Row = {}): Row {
  if (changesList(input, current)) {
    const windows = windowsIn(input);
    const [first = windowOf({}), ...hours] = windows;
    const hasTimes = windows.some(({ time_start }) => time_start !== null);
    return {
      ...first,
      hours,
      ...(input.time_visibility_enabled === undefined && { time_visibility_enabled: hasTimes }),
    };
  }
  const isUntouched = input.hours === undefined && changedFirst(input, current).length === 0;
  if (isUntouched) return {};
  const first = windowOf({ ...current, ...input });
  return { hours: isEmpty(first) ? [] : windowsIn(current) };
}

export const MENU_TYPES = ['standard', 'wine'] as const;

/** A section of the menu (SPEC, "Category"). */
export const section = defineRecord({
  resource: 'categories',
  table: 'sections',
  schema: 'Category',
  one: 'a section',
  label: 'records.section',
  isOnMenu: true,
  parent: 'parent_id',
  fields: {
    external_id: externalId(),
    parent_id: nullableReference('categories', {
      description:
        'The section in which it stands; null at the top. Sections are nested at most ' +
        `${constants.maxSectionDepth} deep.`,
      onDelete: 'cascade',
    }),
    menu_type: choice(v.picklist(MENU_TYPES), {
      description: 'Sections of wines come last on the menu.',
      default: 'standard',
    }),
    name: requiredTranslations(200, 'Its name.'),
    notes: localizedText(2_000, 'What guests read below the name.'),
    photo_id: nullableReference('photos', {
      label: photo.label,
      description: 'An uploaded photo of it.',
      onDelete: 'detach',
    }),
    photo: embedded('photo_id', photo, {
      label: photo.label,
      description: 'Its own photo; null for a section without one.',
    }),
    display_order: displayOrder('Its place among the sections beside it, in ascending order.'),
    is_active: visibility('Whether guests see it and what is in it.'),
    ...visibleMoments,
    show_subcategories: flag('Whether displays group its dishes by sub-category.'),
    time_visibility_enabled: flag(
      'Whether displays show it between `time_start` and `time_end` only.',
    ),
    time_start: time('`HH:MM` in the restaurant’s local time, or null.'),
    time_end: time('`HH:MM` in the restaurant’s local time, or null.'),
    weekdays: weekdays('The days on which displays show it, from 1, Monday, to 7; null for all.'),
    hours: sectionHours,
    date_start: date('The first day on which displays show it, or null.'),
    date_end: date('The last day on which displays show it, or null.'),
  },
  asSent: { hours: hoursOf },
  asShown: (row) => ({ hours: hoursOf(row) }),
  conflicts: hoursErrors,
  derive: (input, _after, current) => deriveHours(input, current),
  example: { id: 2, name: { it: 'Primi', en: 'First courses' }, display_order: 1 },
});
export type StoredSection = StoredOf<typeof section.fields>;

/** A sub-category of a section; the specification leaves its fields open. */
export const type = defineRecord({
  resource: 'types',
  table: 'types',
  schema: 'Type',
  one: 'a sub-category',
  label: 'records.type',
  isOnMenu: true,
  parent: 'category_id',
  fields: {
    category_id: reference('categories', {
      description: 'The section that it belongs to.',
      onDelete: 'cascade',
    }),
    external_id: externalId(),
    name: requiredTranslations(200, 'Its name.'),
    display_order: displayOrder('Its place in the section, in ascending order.'),
    is_active: visibility('Whether guests see it.'),
  },
  example: { id: 4, category_id: 2, name: { it: 'Pasta fresca' } },
});
export type StoredType = StoredOf<typeof type.fields>;

/** A section as `/menu` lists it, with its dishes and sub-categories. */
export const sectionSchema = v.object({
  ...section.shown.entries,
  items: described(v.array(dish.shown), 'Its active dishes, in their order.'),
  types: described(v.array(type.shown), 'Its active sub-categories, in their order.'),
});

/** A section with its sub-sections, as `/categories` nests them. */
export type SectionTree = ShownOf<typeof section.fields> & {
  items: v.InferOutput<typeof dish.shown>[];
  types: v.InferOutput<typeof type.shown>[];
  children: SectionTree[];
};
export const sectionTreeSchema = v.object({
  ...sectionSchema.entries,
  children: described(
    v.array(v.lazy(() => sectionTreeSchema)),
    'The active sections below it, in their order.',
  ),
}) as unknown as v.GenericSchema<SectionTree>;
