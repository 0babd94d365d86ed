import type { Field } from '../../db/schema/field.ts';
import type { RecordType } from '../../db/schema/record.ts';

/** A record without the fields that guests' JSON has only where they say something. */
export function asGuestsSee({ fields }: RecordType, shown: Record<string, unknown>) {
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const field: Field | undefined = fields[name.replace(/_translations$/, '')];
    const isEmpty =
      value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
    return field?.isSparse && (isEmpty || value === field.options.default);
  };
  return Object.fromEntries(Object.entries(shown).filter((entry) => !isLeftOut(entry)));
}
