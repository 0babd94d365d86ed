import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { allergenKeySchema, allergenSchema } from '../../db/schema/allergen.ts';
import { dish } from '../../db/schema/dish.ts';
import {
  errorSchema,
  invalidSchema,
  localizedMetaSchema,
  metaSchema,
  pagingMetaSchema,
  successSchema,
} from '../../db/schema/envelope.ts';
import { createEventSchema } from '../../db/schema/event.ts';
import type { Field } from '../../db/schema/field.ts';
import { localeSchema, translationsSchema } from '../../db/schema/locale.ts';
import type { RecordType } from '../../db/schema/record.ts';
import { integerSchema } from '../../db/schema/record-id.ts';
import { COLLECTIONS, type Resource, records } from '../../db/schema/registry.ts';
import { sectionSchema, sectionTreeSchema } from '../../db/schema/section.ts';
import { settings } from '../../db/schema/settings.ts';
import { theme } from '../../db/schema/theme.ts';
import { type } from '../../db/schema/type.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { winery } from '../../db/schema/winery.ts';
import { acceptedWriteSchema } from '../../db/schema/write.ts';
import { reportSchemas } from '../analytics/reports/report-schemas.ts';
import { toComponents } from './json-schema.ts';

/** What the specification calls one record of each resource. */
export const RECORD_NAMES = Object.fromEntries(
  Object.entries(records).map(([resource, { schema }]) => [resource, schema]),
) as Record<Resource, string>;

function byRecord(
  prefix: string,
  schemaOf: (record: RecordType) => v.GenericSchema,
  suffix = '',
): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    Object.values(records).map((record) => [
      `${prefix}${record.schema}${suffix}`,
      schemaOf(record),
    ]),
  );
}

const listMeta = v.object({ ...metaSchema.entries, ...pagingMetaSchema.entries });
const itemsMeta = v.object({ ...localizedMetaSchema.entries, ...pagingMetaSchema.entries });
const anyRecord = v.union(Object.values(records).map(({ admin }) => admin));

function outdated(record: v.GenericSchema) {
  return v.object({ ...errorSchema.entries, data: record });
}

const publicAnswers = {
  MenuAnswer: successSchema(
    v.object({ settings: settings.shown, theme: theme.shown, sections: v.array(sectionSchema) }),
    localizedMetaSchema,
  ),
  RestaurantAnswer: successSchema(settings.shown, metaSchema),
  ThemeAnswer: successSchema(theme.shown, metaSchema),
  CategoriesAnswer: successSchema(v.array(sectionTreeSchema), metaSchema),
  CategoryAnswer: successSchema(sectionTreeSchema, metaSchema),
  ItemsAnswer: successSchema(v.array(dish.shown), itemsMeta),
  ItemAnswer: successSchema(dish.shown, metaSchema),
  AllergensAnswer: successSchema(v.array(allergenSchema), metaSchema),
};

const adminAnswers = {
  ...byRecord('Admin', ({ admin }) => admin),
  ...byRecord('Admin', ({ admin }) => successSchema(admin, metaSchema), 'Answer'),
  ...byRecord('Outdated', ({ admin }) => outdated(admin)),
  ...Object.fromEntries(
    COLLECTIONS.map((resource) => [
      `Admin${RECORD_NAMES[resource]}List`,
      successSchema(v.array(records[resource].admin), listMeta),
    ]),
  ),
  AdminRecordAnswer: successSchema(anyRecord, metaSchema),
  OutdatedRecord: outdated(anyRecord),
  WriteAccepted: successSchema(acceptedWriteSchema, metaSchema),
};

export function capitalised(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** The component of a report's answer. */
export function reportAnswerName(report: string): string {
  return `${capitalised(report)}Report`;
}

const reportAnswers = Object.fromEntries(
  Object.entries(reportSchemas).map(([name, schema]) => [
    reportAnswerName(name),
    successSchema(schema, metaSchema),
  ]),
);

/** What the API answers with. */
const answers = {
  Locale: localeSchema,
  Translations: translationsSchema,
  AllergenKey: allergenKeySchema,
  Allergen: allergenSchema,
  Settings: settings.shown,
  Theme: theme.shown,
  Winery: winery.shown,
  Type: type.shown,
  MenuItem: dish.shown,
  Category: sectionSchema,
  CategoryTree: sectionTreeSchema,
  Meta: metaSchema,
  LocalizedMeta: localizedMetaSchema,
  ListMeta: listMeta,
  ItemsMeta: itemsMeta,
  ...publicAnswers,
  ...adminAnswers,
  ...reportAnswers,
  EventsAccepted: successSchema(v.object({ accepted: integerSchema }), metaSchema),
  Error: errorSchema,
  ValidationError: invalidSchema,
};

const event = createEventSchema(Date.now);
const eventList = v.pipe(
  v.array(event),
  v.minLength(1),
  v.maxLength(constants.maxEventsPerRequest),
);

/** What it takes. */
const bodies = {
  ...byRecord('', ({ input }) => input, 'Input'),
  ...byRecord('', ({ change }) => change, 'Change'),
  Event: event,
  EventList: eventList,
  EventBody: v.union([event, eventList, v.object({ events: eventList })]),
};

const TRANSLATED = 'In every language in which it is written, by language code.';
const ALWAYS: Record<string, string> = {
  id: 'Its id; it never changes.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed.',
  deleted_at: 'When it was deleted; null while it is there.',
  items: 'Its active dishes, in their order.',
  types: 'Its active sub-categories, in their order.',
  children: 'The active sections below it, in their order.',
};

/** What each property of a record's schemas means, from the record's declaration. */
function describeProperties(fields: Record<string, Field>): Record<string, string> {
  const described = Object.entries(fields).flatMap(([name, { isTranslated, options }]) => [
    [name, options.description],
    ...(isTranslated ? [[`${name}_translations`, `${options.description} ${TRANSLATED}`]] : []),
  ]);
  return { ...ALWAYS, ...Object.fromEntries(described) };
}

/** Adds the descriptions of a record's fields to every schema of the record. */
function describeComponents(
  components: Record<string, JsonSchema>,
  { schema, fields }: RecordType,
): void {
  const described = describeProperties(fields);
  const names = ['', 'Admin', 'Input', 'Change', 'Tree'];
  const own = names.map((name) => (name === 'Admin' ? `${name}${schema}` : `${schema}${name}`));
  for (const name of own.filter((one) => one in components)) {
    const properties = components[name]?.properties as Record<string, JsonSchema>;
    for (const [field, property] of Object.entries(properties)) {
      const said = [described[field], property.description].filter(Boolean);
      properties[field] = { ...property, description: said.join(' ') };
    }
  }
}

/** Everything below `#/components/schemas`. */
export function makeSchemas() {
  // Settings and theme are there from the beginning: nobody sends all of them.
  const { SettingsInput: _settings, ThemeInput: _theme, ...taken } = toComponents(bodies, 'input');
  const components = { ...toComponents(answers, 'output'), ...taken };
  for (const record of Object.values(records)) describeComponents(components, record);
  return components;
}
