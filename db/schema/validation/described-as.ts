import * as v from 'valibot';

/** A schema in the words of JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/**
 * Says in the words of JSON Schema what the rules around it say in code; the API's document takes
 * these words. They replace what the rules before them gave when they name a type, else they join it.
 */
export function describedAs<TInput>(schema: JsonSchema) {
  return v.metadata<TInput, { describedAs: JsonSchema }>({ describedAs: schema });
}
