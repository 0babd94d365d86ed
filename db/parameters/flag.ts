import * as v from 'valibot';
import { ruleTexts } from '../validation/messages.ts';

/** A truth value as queries write it (DESIGN, "booleans in a query"). */
export function flagParameter(field: string, description: string) {
  return v.pipe(
    v.picklist(['0', '1', 'true', 'false'], ruleTexts.boolean(field)),
    v.description(description),
    v.transform((text) => text === '1' || text === 'true'),
  );
}
