import type * as v from 'valibot';
import { additives, allergens, dishLabels } from '../../db/schema/dictionary.ts';
import type { Field } from '../../db/schema/field.ts';
import type { RecordType } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { sectionSchema, sectionTreeSchema } from '../../db/schema/section.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { localeSchema, translationsSchema } from '../../db/schema/values/locale.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import {
  errorSchema,
  ignoringListMetaSchema,
  invalidSchema,
  itemsMetaSchema,
  localizedMetaSchema,
  metaSchema,
} from '../http/envelope.ts';
import { toComponents } from './json-schema.ts';
import { describeRest } from './property-descriptions.ts';
import { typeWholeMenus } from './whole-menus.ts';

type Schemas = Record<string, v.GenericSchema>;

const recordTypes: readonly RecordType[] = Object.values(records);
const shownTypes = recordTypes.filter(({ isOnMenu }) => isOnMenu);

/** Parts of what the API answers that have names of their own. */
const parts: Schemas = {
  Locale: localeSchema,
  Translations: translationsSchema,
  AllergenKey: allergens.keySchema,
  Allergen: allergens.entrySchema,
  AdditiveKey: additives.keySchema,
  Additive: additives.entrySchema,
  LabelKey: dishLabels.keySchema,
  Label: dishLabels.entrySchema,
  ...Object.fromEntries(shownTypes.map(({ schema, shown }) => [schema, shown])),
  Category: sectionSchema,
  CategoryTree: sectionTreeSchema,
  Meta: metaSchema,
  LocalizedMeta: localizedMetaSchema,
  ListMeta: ignoringListMetaSchema,
  ItemsMeta: itemsMetaSchema,
  ...Object.fromEntries(recordTypes.map(({ schema, admin }) => [`Admin${schema}`, admin])),
  Error: errorSchema,
  ValidationError: invalidSchema,
};

const TRANSLATED = 'In every language in which it is written, by language code.';
const EXTERNAL = 'The `external_id` of that record, instead of its id.';

/** The meaning of each property of a record's schemas, from the record's declaration. */
function describeProperties(fields: Record<string, Field>): Record<string, string> {
  const described = Object.entries(fields).flatMap(([name, { isTranslated, options, target }]) => [
    [name, options.description],
    ...(isTranslated ? [[`${name}_translations`, `${options.description} ${TRANSLATED}`]] : []),
    ...(target === undefined ? [] : [[externalName(name), EXTERNAL]]),
  ]);
  return Object.fromEntries(described);
}

/** Adds the descriptions of a record's fields to every schema of the record. */
function describeComponents(
  components: Record<string, JsonSchema>,
  { schema, fields }: RecordType,
): void {
  const described = describeProperties(fields);
  const own = [`Admin${schema}`, ...['', 'Input', 'Change', 'Tree'].map((end) => schema + end)];
  for (const name of own.filter((one) => one in components)) {
    const properties = components[name]?.properties as Record<string, JsonSchema>;
    for (const [field, property] of Object.entries(properties)) {
      const said = [described[field], property.description].filter(Boolean);
      properties[field] = { ...property, description: said.join(' ') };
    }
  }
}

/** Everything below `#/components/schemas`: the parts, and what routes answer and take. */
export function makeSchemas({ answers, bodies }: { answers: Schemas; bodies: Schemas }) {
  const components = {
    ...toComponents({ ...parts, ...answers }, 'output'),
    ...toComponents(bodies, 'input'),
  };
  for (const record of recordTypes) describeComponents(components, record);
  typeWholeMenus(components);
  for (const [name, schema] of Object.entries(components)) describeRest(schema, name);
  return components;
}
