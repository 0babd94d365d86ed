import * as v from 'valibot';
import { constants } from '../../runtime/constants.ts';
import { isSlug, MAX_SLUG } from '../../schema/host.ts';
import { platformScopes } from '../../schema/platform.ts';
import { scopes } from '../../schema/token.ts';
import { roles } from '../../schema/user.ts';
import { described } from '../../schema/validation/described-as.ts';
import { hasVisibleText, isSafeLine } from '../../schema/validation/safe-text.ts';
import { ALL_LOCALES } from '../../schema/values/locale.ts';
import { MAX_INTEGER, parseRecordId } from '../../schema/values/record-id.ts';

// The description of an argument says its form, in help and where it is missing; the message of a
// check follows the argument's name when what was given is of another form.

const SLUG_FORM = `1 to ${MAX_SLUG} letters, digits and inner hyphens`;

/** A tenant's slug: the label of its host name. */
export const slugArgument = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.check(isSlug, `must be ${SLUG_FORM}`),
  v.description(`${SLUG_FORM}: the first label of the restaurant's host name`),
);

/** A name that people read. */
export function label(max: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.check(hasVisibleText, 'must not be blank'),
    v.maxCodePoints(max, `must have at most ${max} characters`),
    v.transform((name) => name.normalize('NFC')),
    v.check(isSafeLine, 'must not hold control characters'),
    // Node puts it in the place of every byte that it cannot read.
    v.check((name) => !name.includes('\ufffd'), 'must be UTF-8'),
    v.description(`a name of at most ${max} characters`),
  );
}

export const email = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.rfcEmail('must be an e-mail address'),
  v.maxLength(constants.maxEmailLength, `must have at most ${constants.maxEmailLength} characters`),
  v.description('an e-mail address, with which the user signs in'),
);

const LOCALE_FORM = `one of ${ALL_LOCALES.join(', ')}`;
export const locale = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(ALL_LOCALES, `must be ${LOCALE_FORM}`),
  v.description(`the restaurant's own language: ${LOCALE_FORM}`),
);

const ROLE_FORM = `one of ${roles.join(', ')}`;
export const role = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(roles, `must be ${ROLE_FORM}`),
  v.description(`what the user may do: ${ROLE_FORM}`),
);

/** A comma-separated list of scopes, at least one. */
function scopesOf<const T extends readonly string[]>(all: T) {
  const form = `a comma-separated list of ${all.join(', ')}`;
  return v.pipe(
    v.string(),
    v.transform((text) => [...new Set(text.split(',').map((scope) => scope.trim()))]),
    v.array(v.picklist(all, `must be ${form}`)),
    v.description(`what the token grants: ${form}`),
  );
}
export const scopeList = scopesOf(scopes);
export const platformScopeList = scopesOf(platformScopes);

const ID_FORM = `a whole number from 1 to ${MAX_INTEGER}`;
export const recordId = v.pipe(
  v.string(),
  v.transform(parseRecordId),
  v.number(`must be ${ID_FORM}`),
  v.description(`${ID_FORM}: the number before the | of a token`),
);

/** How many of something. */
export const count = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}$/, 'must be a whole number up to 999999'),
  v.transform(Number),
  v.description('how many, a whole number up to 999999'),
);

/** An option without a value. */
export function flagArgument(meaning: string) {
  return v.optional(described(v.boolean(), meaning), false);
}

/** One of a few words, or none. */
export function oneOfArgument<const T extends readonly string[]>(words: T, meaning: string) {
  const form = `one of ${words.join(' ')}`;
  return v.optional(described(v.picklist(words, `must be ${form}`), `${meaning}: ${form}`));
}

/** The path of a file or a folder. */
export function pathArgument(description: string) {
  return v.pipe(v.string(), v.nonEmpty('must not be empty'), v.description(description));
}

export const file = pathArgument(
  'the path of a file: a menu as JSON, or a table of dishes (.csv, .tsv, .txt, .xlsx)',
);

/** The path of a folder with photos, or none. */
export function photoFolder(meaning: string) {
  return v.optional(pathArgument(`${meaning}; each is named by its digest`));
}

/** A rate in percent, with decimals perhaps. */
export function percentArgument(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}(\.\d{1,3})?$/, 'must be a number from 0 to 100'),
      v.transform(Number),
      v.maxValue(100, 'must be a number from 0 to 100'),
      v.description(description),
    ),
  );
}
