import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { allergenKeySchema, allergenSchema } from '../../db/schema/allergen.ts';
import { dishSchema } from '../../db/schema/dish.ts';
import {
  errorSchema,
  invalidSchema,
  localizedMetaSchema,
  metaSchema,
  pagingMetaSchema,
  successSchema,
} from '../../db/schema/envelope.ts';
import { createEventSchema } from '../../db/schema/event.ts';
import { localeSchema, translationsSchema } from '../../db/schema/locale.ts';
import { integerSchema } from '../../db/schema/record-id.ts';
import {
  COLLECTIONS,
  changeSchemas,
  inputSchemas,
  type Resource,
  resourceSchema,
} from '../../db/schema/resource.ts';
import { sectionSchema, sectionTreeSchema } from '../../db/schema/section.ts';
import { settingsSchema } from '../../db/schema/settings.ts';
import { themeSchema } from '../../db/schema/theme.ts';
import { typeSchema } from '../../db/schema/type.ts';
import { winerySchema } from '../../db/schema/winery.ts';
import { acceptedWriteSchema } from '../../db/schema/write.ts';
import { adminSchemas } from '../../db/sql/menu/admin-record.ts';
import { reportSchemas } from '../analytics/reports/report-schemas.ts';
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

function byRecord(
  prefix: string,
  schemaOf: (resource: Resource) => v.GenericSchema,
  suffix = '',
): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    resourceSchema.options.map((resource) => [
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
