// JSON schemas of the documents of other services, written by hand from their references.

type Schema = Readonly<Record<string, unknown>>;

/** An object that has no other fields. @param required names; a field with `?` may be missing */
export function object(fields: Record<string, Schema>): Schema {
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema]),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

export const list = (items: Schema, minItems = 0, maxItems?: number): Schema => ({
  type: 'array',
  items,
  minItems,
  ...(maxItems !== undefined && { maxItems }),
});
export const text = (maxLength = 4_000): Schema => ({ type: 'string', minLength: 1, maxLength });
export const matching = (pattern: string): Schema => ({ type: 'string', pattern });
export const oneOf = (...values: unknown[]): Schema => ({ enum: values });
export const whole = (minimum = 0, maximum = 2 ** 53): Schema => ({
  type: 'integer',
  minimum,
  maximum,
});
export const number = (minimum = 0, maximum = 1e12): Schema => ({
  type: 'number',
  minimum,
  maximum,
});
export const flag: Schema = { type: 'boolean' };
export const address: Schema = matching('^https?://');
export const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
