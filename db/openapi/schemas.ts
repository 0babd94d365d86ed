import * as v from 'valibot';
import { reportSchemas } from '../analytics/report-schemas.ts';
import { bounds } from '../bounds.ts';
import { adminSchemas } from '../records/admin-record.ts';
import { allergenKeySchema, allergenSchema } from '../records/allergen.ts';
import { dishSchema } from '../records/dish.ts';
import {
  errorSchema,
  invalidSchema,
  localizedMetaSchema,
  metaSchema,
  pagingMetaSchema,
  successSchema,
} from '../records/envelope.ts';
import { createEventSchema } from '../records/event.ts';
import { localeSchema, translationsSchema } from '../records/locale.ts';
import { COLLECTIONS, changeSchemas, inputSchemas, type Resource } from '../records/resource.ts';
import { sectionSchema, sectionTreeSchema } from '../records/section.ts';
import { settingsSchema } from '../records/settings.ts';
import { themeSchema } from '../records/theme.ts';
import { typeSchema } from '../records/type.ts';
import { winerySchema } from '../records/winery.ts';
import { acceptedWriteSchema } from '../records/write.ts';
import { toComponents } from './json-schema.ts';

/** What the specification calls one record of each resource. */
export const RECORD_NAMES: Record<Resource, string> = {
  categories: 'Category',
  items: 'MenuItem',
  types: 'Type',
  wineries: 'Winery',
  settings: 'Settings',
  theme: 'Theme',
};
const RESOURCES = Object.keys(RECORD_NAMES) as Resource[];

function byRecord(
  prefix: string,
  schemaOf: (resource: Resource) => v.GenericSchema,
  suffix = '',
): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    RESOURCES.map((resource) => [
      `${prefix}${RECORD_NAMES[resource]}${suffix}`,
      schemaOf(resource),
    ]),
  );
}

const listMeta = v.object({ ...metaSchema.entries, ...pagingMetaSchema.entries });
const itemsMeta = v.object({ ...localizedMetaSchema.entries, ...pagingMetaSchema.entries });
const anyRecord = v.union(Object.values(adminSchemas));

function outdated(record: v.GenericSchema) {
  return v.object({ ...errorSchema.entries, data: record });
}

const publicAnswers = {
  MenuAnswer: successSchema(
    v.object({ settings: settingsSchema, theme: themeSchema, sections: v.array(sectionSchema) }),
    localizedMetaSchema,
  ),
  RestaurantAnswer: successSchema(settingsSchema, metaSchema),
  ThemeAnswer: successSchema(themeSchema, metaSchema),
  CategoriesAnswer: successSchema(v.array(sectionTreeSchema), metaSchema),
  CategoryAnswer: successSchema(sectionTreeSchema, metaSchema),
  ItemsAnswer: successSchema(v.array(dishSchema), itemsMeta),
  ItemAnswer: successSchema(dishSchema, metaSchema),
  AllergensAnswer: successSchema(v.array(allergenSchema), metaSchema),
};

const adminAnswers = {
  ...byRecord('Admin', (resource) => adminSchemas[resource]),
  ...byRecord('Admin', (resource) => successSchema(adminSchemas[resource], metaSchema), 'Answer'),
  ...byRecord('Outdated', (resource) => outdated(adminSchemas[resource])),
  ...Object.fromEntries(
    COLLECTIONS.map((resource) => [
      `Admin${RECORD_NAMES[resource]}List`,
      successSchema(v.array(adminSchemas[resource]), listMeta),
    ]),
  ),
  AdminRecordAnswer: successSchema(anyRecord, metaSchema),
  OutdatedRecord: outdated(anyRecord),
  WriteAccepted: successSchema(acceptedWriteSchema, metaSchema),
};

/** The component of a report's answer. */
export function reportAnswerName(report: string): string {
  return `${report[0]?.toUpperCase()}${report.slice(1)}Report`;
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
  Settings: settingsSchema,
  Theme: themeSchema,
  Winery: winerySchema,
  Type: typeSchema,
  MenuItem: dishSchema,
  Category: sectionSchema,
  CategoryTree: sectionTreeSchema,
  Meta: metaSchema,
  LocalizedMeta: localizedMetaSchema,
  ListMeta: listMeta,
  ItemsMeta: itemsMeta,
  ...publicAnswers,
  ...adminAnswers,
  ...reportAnswers,
  EventsAccepted: successSchema(
    v.object({ accepted: v.pipe(v.number(), v.integer()) }),
    metaSchema,
  ),
  Error: errorSchema,
  ValidationError: invalidSchema,
};

const event = createEventSchema(Date.now);
const eventList = v.pipe(v.array(event), v.minLength(1), v.maxLength(bounds.maxEventsPerRequest));

/** What it takes. */
const bodies = {
  ...byRecord('', (resource) => inputSchemas[resource], 'Input'),
  ...byRecord('', (resource) => changeSchemas[resource], 'Change'),
  Event: event,
  EventList: eventList,
  EventBody: v.union([event, eventList, v.object({ events: eventList })]),
};

/** Everything below `#/components/schemas`. */
export function makeSchemas() {
  // Settings and theme are there from the beginning: nobody sends all of them.
  const { SettingsInput: _settings, ThemeInput: _theme, ...taken } = toComponents(bodies, 'input');
  return { ...toComponents(answers, 'output'), ...taken };
}
