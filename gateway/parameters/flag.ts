import * as v from 'valibot';
import { rule } from '../../db/schema/validation/rule.ts';

/** A truth value as queries write it (DESIGN, "booleans in a query"). */
export function flagParameter(description: string) {
  return v.pipe(
    v.picklist(['0', '1', 'true', 'false'], rule('boolean')),
    v.description(description),
    v.transform((text) => text === '1' || text === 'true'),
  );
}
