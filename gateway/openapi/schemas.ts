import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { additives, allergenKinds, allergens, dishLabels } from '../../db/schema/dictionary.ts';
import type { Field } from '../../db/schema/field.ts';
import type { ListMetadata } from '../../db/schema/lists.ts';
import { defaultsOf, type RecordType, toStored, viewRecord } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { sectionSchema, sectionTreeSchema } from '../../db/schema/section.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import {
  localeSchema,
  localize,
  readingIn,
  translationsSchema,
} from '../../db/schema/values/locale.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import type { Resource } from '../../db/schema/values/resource.ts';
import {
  errorSchema,
  ignoringListMetaSchema,
  invalidSchema,
  itemsMetaSchema,
  localizedMetaSchema,
  metaSchema,
} from '../http/envelope.ts';
import { messageSchemas } from './messages.ts';
import { describeRest } from './property-descriptions.ts';
import { typeWholeMenus } from './whole-menus.ts';

type Schemas = Record<string, v.GenericSchema>;
type OverrideAction = NonNullable<ConversionConfig['overrideAction']>;

/** The parts of schema actions that are read here. */
interface Details {
  requirement: unknown;
  metadata: { describedAs?: JsonSchema; list?: ListMetadata };
}

/** Rules that JSON Schema has no words for; where it matters a `describedAs` stands beside them. */
const UNSPOKEN = new Set(['trim', 'normalize', 'to_lower_case', 'check', 'raw_check']);

const overrideAction: OverrideAction = ({ valibotAction, jsonSchema }) => {
  const action: Partial<Details> & { type: string } = valibotAction;
  if (UNSPOKEN.has(action.type)) return jsonSchema;
  const { type, requirement } = action;
  // JSON Schema's patterns are Unicode patterns by definition, and its lengths are in characters.
  const isUnicode = requirement instanceof RegExp && requirement.flags === 'u';
  if (type === 'regex' && isUnicode) return jsonSchema;
  if (type === 'max_code_points') return { ...jsonSchema, maxLength: Number(requirement) };
  if (action.metadata?.list) return listSchema(action.metadata.list);
  const shown = action.metadata?.describedAs;
  if (!shown) return undefined;
  const { describedAs: _itself, listed: _fields, ...before } = jsonSchema as JsonSchema;
  return 'type' in shown ? shown : { ...before, ...shown };
};

/**
 * Gives properties the descriptions that the library does not reach: of what comes in it reads no more
 * than stands before the first transformation.
 */
function describeEntries(entries: v.ObjectEntries, { properties = {} }: JsonSchema): void {
  for (const [name, entry] of Object.entries(entries)) {
    const inner = 'wrapped' in entry ? (entry.wrapped as v.GenericSchema) : entry;
    const description = v.getDescription(entry) ?? v.getDescription(inner);
    const property = properties[name];
    if (description !== undefined && property && !('$ref' in property))
      property.description = description;
  }
}

const overrideSchema: NonNullable<ConversionConfig['overrideSchema']> = (context) => {
  const { valibotSchema, jsonSchema } = context;
  if (valibotSchema.type === 'date') return { type: 'string', format: 'date-time' };
  if ('entries' in valibotSchema)
    describeEntries(valibotSchema.entries as v.ObjectEntries, jsonSchema as JsonSchema);
  // The library doubts keys that are a list of words; what it made of them is right.
  return valibotSchema.type === 'record' ? jsonSchema : undefined;
};

const SETTINGS = { target: 'draft-2020-12', overrideAction, overrideSchema } as const;

/** A list of objects as a body has it. */
function listSchema({ items, minItems, maxItems, descriptions }: ListMetadata): JsonSchema {
  const made = toJsonSchema(items, { ...SETTINGS, typeMode: 'input' }) as JsonSchema;
  const { $schema: _named, ...item } = made;
  const properties = Object.entries(made.properties ?? {});
  const described = properties.map(([name, property]) => {
    const description = [descriptions[name], property.description].filter(Boolean).join(' ');
    return [name, { ...property, description }];
  });
  return {
    type: minItems > 0 ? 'array' : ['array', 'null'],
    ...(minItems > 0 && { minItems }),
    maxItems,
    items: { ...item, properties: Object.fromEntries(described) },
  };
}

/**
 * Turns schemas into JSON Schema 2020-12 as OpenAPI 3.1 has it; those among them that contain others
 * refer to them below `#/components/schemas`.
 *
 * @param typeMode whether what comes in is described or what goes out
 * @throws Error for a rule that JSON Schema has no words for and that is not named here
 */
export function toComponents(schemas: Schemas, typeMode: 'input' | 'output') {
  return toJsonSchemaDefs(schemas, {
    ...SETTINGS,
    typeMode,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as Record<string, JsonSchema>;
}

const recordTypes: readonly RecordType[] = Object.values(records);
const shownTypes = recordTypes.filter(({ isOnMenu }) => isOnMenu);

/** Parts of what the API answers that have names of their own. */
const parts: Schemas = {
  Locale: localeSchema,
  Translations: translationsSchema,
  AllergenKey: allergens.keySchema,
  Allergen: allergens.entrySchema,
  AllergenKindKey: allergenKinds.keySchema,
  AllergenKind: allergenKinds.entrySchema,
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
    const properties = components[name]?.properties ?? {};
    for (const [field, property] of Object.entries(properties)) {
      const said = [described[field], property.description].filter(Boolean);
      properties[field] = { ...property, description: said.join(' ') };
    }
  }
}

/**
 * Says in words which value a property has that a body leaves out. With `default`, generators would
 * demand the property of each body.
 */
function tellDefaults(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { default: byDefault, description } = schema as JsonSchema;
  if (byDefault !== undefined) {
    (schema as JsonSchema).default = undefined;
    const isNothing = [null, '[]', '{}'].includes(byDefault && JSON.stringify(byDefault));
    if (!isNothing)
      (schema as JsonSchema).description = `${description} Without it: \`${String(byDefault)}\`.`;
  }
  for (const part of Object.values(schema)) tellDefaults(part);
}

/** Everything below `#/components/schemas`: the parts, and what routes answer and take. */
export function makeSchemas({ answers, bodies }: { answers: Schemas; bodies: Schemas }) {
  const components = {
    ...toComponents({ ...parts, ...answers, ...messageSchemas }, 'output'),
    ...toComponents(bodies, 'input'),
  };
  for (const record of recordTypes) describeComponents(components, record);
  typeWholeMenus(components);
  for (const [name, schema] of Object.entries(components)) describeRest(schema, name);
  for (const name of Object.keys(bodies)) tellDefaults(components[name]);
  return components;
}

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
  AllergenKindsAnswer: success([{ key: 'mandorle', name: 'Mandorle' }]),
};

/** Answers about a record of each resource. */
export function recordExamples(resource: Resource) {
  const { isSingleton } = records[resource];
  const shown = exampleOf(resource, true);
  const stamps = isSingleton ? { updated_at: times.updated_at } : times;
  const data = { ...shown, ...stamps, chain: null };
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
