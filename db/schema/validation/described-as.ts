import * as v from 'valibot';

/** A schema in the words of JSON Schema. */
export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[] | undefined;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}

/**
 * Says in the words of JSON Schema what the rules around it say in code; the API's document takes
 * these words. They replace what the rules before them gave when they name a type, else they join it.
 */
export function describedAs<TInput>(schema: JsonSchema) {
  return v.metadata<TInput, { describedAs: JsonSchema }>({ describedAs: schema });
}

/** A schema that says in the API's document what it means. */
export function described<T extends v.GenericSchema>(schema: T, description: string) {
  return v.pipe(schema, v.description(description));
}

/** A whole number that says in the API's document what it counts. */
export function counted(description: string, min = 0) {
  return described(v.pipe(v.number(), v.integer(), v.minValue(min)), description);
}

/**
 * Says what a property means whose schema has a name of its own in the API's document: a plain pipe
 * would repeat that schema there, and the lazy one refers to its name.
 */
export function describedReference<T extends v.GenericSchema>(schema: T, description: string) {
  return described(
    v.lazy(() => schema),
    description,
  );
}
