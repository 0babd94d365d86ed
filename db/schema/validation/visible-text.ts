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
