import * as v from 'valibot';
import { describedAs } from '../../db/schema/validation/described-as.ts';
import { rule } from '../../db/schema/validation/rule.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** A parameter that is a whole number or absent; one that no record has finds nothing. */
export function integerParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[+-]?[0-9]+$/, rule('integer')),
      describedAs({ type: 'integer', description }),
      // Beyond that one is like another, and Postgres would not read it.
      v.transform((digits) => Math.max(-MOST, Math.min(Number(digits), MOST))),
    ),
  );
}
