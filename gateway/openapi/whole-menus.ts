import { entriesOf } from '../../db/runtime/keys.ts';
import { MAX_OPERATIONS } from '../../db/schema/bulk.ts';
import type { Field } from '../../db/schema/field.ts';
import type { RecordType } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { MAX_KEY_LENGTH } from '../../db/schema/validation/input-fields.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import { isCollection, type Resource } from '../../db/schema/values/resource.ts';
import { schemaRef } from './parts.ts';

// The bodies of bulk and import hold records of every kind. A worker checks each one separately, so
// their types are put together here, from the schemas of single writes.

type Components = Record<string, JsonSchema>;

const ID: JsonSchema = { type: ['integer', 'null'], minimum: 1, description: 'The record’s id.' };
const KEY: JsonSchema = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_KEY_LENGTH,
  description: 'The client’s own key of the record, instead of its id.',
};
const EXPECTED: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  description: 'Values that fields must have now, as `changes` shows them; else it fails.',
};

function one(value: string, description: string): JsonSchema {
  return { type: 'string', const: value, description };
}

/** The operations of one resource, by the names of their schemas. */
function operationsOf(resource: Resource, { schema: name, isUploaded }: RecordType): Components {
  const kind = one(resource, 'The kind of record.');
  const data = (ref: string) => ({ ...schemaRef(ref), description: 'Its fields.' });
  const named = isCollection(resource) ? { id: ID, external_id: KEY } : {};
  const operation = (action: JsonSchema, properties: object, required: readonly string[]) => ({
    type: 'object',
    properties: { resource: kind, action, ...properties },
    required: ['resource', 'action', ...required],
  });
  const changes = {
    type: 'string',
    enum: ['update', 'upsert'],
    description: '`upsert` creates the record when it is not there.',
  };
  const change = { ...named, data: data(`${name}Change`), expected: EXPECTED };
  const create = { external_id: KEY, data: data(`${name}Input`) };
  const remove = { ...named, expected: EXPECTED };
  return {
    ...(isCollection(resource) &&
      !isUploaded && {
        [`Create${name}Operation`]: operation(one('create', 'Creates it.'), create, ['data']),
      }),
    [`Change${name}Operation`]: operation(changes, change, []),
    ...(isCollection(resource) && {
      [`Delete${name}Operation`]: operation(one('delete', 'Deletes it.'), remove, []),
    }),
  };
}

/** A record of a document: what changes it, and its id. */
function documentRecord({ schema }: RecordType): JsonSchema {
  const own = { type: 'object', properties: { id: ID } };
  return { allOf: [schemaRef(`${schema}Change`), own] };
}

/** Says that a record that must be named in a body may be named by id or by external id. */
function nameEitherWay(input: JsonSchema | undefined, fields: Record<string, Field>): void {
  if (!input) return;
  const { required = [], properties = {} } = input;
  const found = Object.entries(fields).find(([name, { target }]) => {
    return target !== undefined && required.includes(name);
  });
  if (!found) return;
  const [name] = found;
  input.required = required.filter((one) => one !== name);
  // Both may be sent when they agree.
  const either = [name, externalName(name)].map((one) => ({
    type: 'object',
    properties: { [one]: properties[one] },
    required: [one],
  }));
  // Generators take `anyOf` beside properties for another form of the whole.
  input.allOf = [{ anyOf: either }];
}

/** Types the bodies of whole menus, and the references of new records. */
export function typeWholeMenus(components: Components): void {
  const entries = entriesOf(records);
  const operations: Components = {};
  for (const [resource, record] of entries) {
    nameEitherWay(components[`${record.schema}Input`], record.fields);
    Object.assign(operations, operationsOf(resource, record));
  }
  Object.assign(components, operations);
  const bulk = components.BulkBody?.properties ?? {};
  bulk.operations = {
    ...bulk.operations,
    maxItems: MAX_OPERATIONS,
    items: { oneOf: Object.keys(operations).map(schemaRef) },
  };
  const document = components.MenuDocument?.properties ?? {};
  for (const [resource, record] of entries) {
    const property = document[resource];
    if (!property) continue;
    const whole = documentRecord(record);
    document[resource] = isCollection(resource)
      ? { ...property, items: whole }
      : { ...schemaRef(`${record.schema}Change`), description: property.description };
  }
}
