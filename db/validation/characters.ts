import * as v from 'valibot';

/** Whether a text has at most `max` characters: an emoji is one, and two units of JavaScript's. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** Blanks, control characters, marks of zero width, and letters of which some scripts show nothing. */
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

export function isSeen(text: string): boolean {
  return !INVISIBLE.test(text);
}

/**
 * At most `max` characters, counted as people and JSON Schema count them; what is said of them there
 * stands in a `shownAs` beside it.
 */
export function maxCharacters(max: number, message: string) {
  return v.check<string, string>((text) => isWithin(text, max), message);
}
