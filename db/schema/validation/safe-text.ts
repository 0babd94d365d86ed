import * as v from 'valibot';

// Every text that a client sends passes here: bodies, bulk, tables, forms of the panel, events and the
// command line.

/**
 * Signs that no menu needs and that deceive readers: control characters, halves of surrogate pairs, and
 * signs that turn the direction of what follows. Blanks of a text with lines are none of them.
 */
const UNSAFE = /[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u;
const UNSAFE_IN_LINES = /(?![\t\n\r])[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text of one line has no sign that deceives readers. */
export function isSafeLine(text: string): boolean {
  return !UNSAFE.test(text);
}

/** A text without the signs that make it unsafe: a replacement character stands for each. */
export function madeSafe(text: string): string {
  return text.split(UNSAFE).join('\ufffd');
}

/** The action that gives texts one form: `ù` is one sign, and never `u` and an accent. */
export const oneForm = v.normalize('NFC');

/** The action that refuses a name with a sign that deceives: the rule `format`. */
export const safeLine = v.check(isSafeLine, 'format');

/** As `safeLine`, for a text that may have several lines. */
export const safeLines = v.check((text: string) => !UNSAFE_IN_LINES.test(text), 'format');

/**
 * Blanks, control characters, marks without a letter, signs that are there to be empty, and what no
 * font shows, or only somebody's own. Halves of surrogate pairs are refused for what they are.
 */
const UNSEEN =
  /^[\p{Z}\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc]*$/u;

/** Whether a text has a visible character: a name without one counts as missing. */
export function hasVisibleText(text: string): boolean {
  return !UNSEEN.test(text);
}
