import { dish } from './dish.ts';
import type { Field } from './field.ts';

/** The fields that the scope `availability:write` may set. */
export const AVAILABILITY_FIELDS: readonly string[] = Object.entries<Field>(dish.fields)
  .filter(([, { options }]) => options.isAvailability)
  .map(([name]) => name);

/** Whether fields of a dish say what is available, and nothing else. */
export function areAvailabilityFields(fields: readonly string[]): boolean {
  return fields.length > 0 && fields.every((name) => AVAILABILITY_FIELDS.includes(name));
}
