import * as v from 'valibot';
import { constants } from '../../runtime/constants.ts';
import { LOCALES } from '../../schema/locale.ts';
import { MAX_INTEGER, parseRecordId } from '../../schema/record-id.ts';
import { scopes } from '../../schema/scope.ts';
import { isSlug, MAX_SLUG } from '../../schema/slug.ts';
import { hasVisibleText } from '../../schema/validation/visible-text.ts';

/** A tenant's slug: the label of its host name. */
export const slug = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.check(isSlug, `must be 1 to ${MAX_SLUG} letters, digits and inner hyphens`),
);

/** A name that people read. */
export function label(max: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.check(hasVisibleText, 'must not be blank'),
    v.maxCodePoints(max, `must have at most ${max} characters`),
    v.check((name) => !/[\p{Cc}\p{Bidi_Control}]/u.test(name), 'must not hold control characters'),
    // Node puts it in the place of every byte that it cannot read.
    v.check((name) => !name.includes('\ufffd'), 'must be UTF-8'),
  );
}

export const email = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.rfcEmail('must be an e-mail address'),
  v.maxLength(constants.maxEmailLength, `must have at most ${constants.maxEmailLength} characters`),
);

/** As long as the form for it can carry, whatever its characters. */
const MAX_PASSWORD = 1_000;
export const password = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(MAX_PASSWORD, `must have at most ${MAX_PASSWORD} characters`),
);

export const locale = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(LOCALES, `must be one of ${LOCALES.join(', ')}`),
);

/** A comma-separated list of scopes, at least one. */
export const scopeList = v.pipe(
  v.string(),
  v.transform((text) => [...new Set(text.split(',').map((scope) => scope.trim()))]),
  v.array(v.picklist(scopes, `must be a comma-separated list of ${scopes.join(', ')}`)),
);

/** The id of a record. */
export const recordId = v.pipe(
  v.string(),
  v.transform(parseRecordId),
  v.number(`must be a whole number from 1 to ${MAX_INTEGER}`),
);

/** How many of something. */
export const count = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}$/, 'must be a whole number up to 999999'),
  v.transform(Number),
);
