import * as v from 'valibot';
import { rule } from '../validation/rule.ts';
import { shownAs } from '../validation/shown-as.ts';

/** A parameter that is a whole number or absent; one that no record has finds nothing. */
export function integerParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[+-]?[0-9]+$/, rule('integer')),
      shownAs({ type: 'integer', description }),
      v.transform(Number),
    ),
  );
}
