import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { dishSchema } from './dish.ts';
import { translationsSchema } from './locale.ts';
import { integerSchema } from './record-id.ts';
import { typeSchema } from './type.ts';
import {
  flag,
  integer,
  nullableReference,
  nullableTime,
  oneOf,
  requiredTranslations,
  text,
} from './validation/input-fields.ts';

export const MENU_TYPES = ['standard', 'wine'] as const;

/** `HH:MM` in the restaurant's local time. */
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const timeOfDaySchema = v.pipe(v.string(), v.regex(TIME_OF_DAY));

/** A section as `/menu` lists it (SPEC, "Category"). */
export const sectionSchema = v.object({
  id: integerSchema,
  parent_id: v.nullable(integerSchema),
  menu_type: v.picklist(MENU_TYPES),
  name: v.string(),
  name_translations: translationsSchema,
  notes: v.string(),
  display_order: integerSchema,
  is_active: v.boolean(),
  show_subcategories: v.boolean(),
  time_visibility_enabled: v.boolean(),
  time_start: v.nullable(timeOfDaySchema),
  time_end: v.nullable(timeOfDaySchema),
  items: v.array(dishSchema),
  types: v.array(typeSchema),
});
export type Section = v.InferOutput<typeof sectionSchema>;

/** A section with its sub-sections, as `/categories` nests them. */
export type SectionTree = Section & { children: SectionTree[] };
export const sectionTreeSchema: v.GenericSchema<SectionTree> = v.object({
  ...sectionSchema.entries,
  children: v.array(v.lazy(() => sectionTreeSchema)),
});

const DEPTH = `The section in which it stands. Sections are nested at most ${constants.maxSectionDepth} deep.`;

/** A section as the admin API takes it. */
export const sectionInputSchema = v.object({
  name: requiredTranslations(200),
  parent_id: v.optional(nullableReference({ description: DEPTH })),
  menu_type: v.optional(oneOf(MENU_TYPES)),
  notes: v.optional(text(2_000)),
  display_order: v.optional(integer(0)),
  is_active: v.optional(flag()),
  show_subcategories: v.optional(flag()),
  time_visibility_enabled: v.optional(flag()),
  time_start: v.optional(nullableTime(TIME_OF_DAY)),
  time_end: v.optional(nullableTime(TIME_OF_DAY)),
});
export type SectionInput = v.InferOutput<typeof sectionInputSchema>;
