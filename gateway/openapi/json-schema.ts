import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ListMetadata } from '../../db/schema/lists.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';

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
  const { describedAs: _itself, ...before } = jsonSchema as JsonSchema;
  return 'type' in shown ? shown : { ...before, ...shown };
};

const overrideSchema: NonNullable<ConversionConfig['overrideSchema']> = (context) => {
  const { valibotSchema, jsonSchema } = context;
  if (valibotSchema.type === 'date') return { type: 'string', format: 'date-time' };
  // The library doubts keys that are a list of words; what it made of them is right.
  return valibotSchema.type === 'record' ? jsonSchema : undefined;
};

const SETTINGS = { target: 'draft-2020-12', overrideAction, overrideSchema } as const;

/** A list of objects as a body has it. */
function listSchema({ items, minItems, maxItems, descriptions }: ListMetadata): JsonSchema {
  const { $schema: _named, ...item } = toJsonSchema(items, { ...SETTINGS, typeMode: 'input' });
  const properties = Object.entries((item.properties ?? {}) as Record<string, JsonSchema>);
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
