import type { Broken, FieldErrors } from '../../../db/schema/validation/rule.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say, Values } from '../../../db/texts/say.ts';

/** The text of a broken rule in the page's language. */
export function sayBroken(say: Say, one: Broken): string {
  const key = `rules.${one.rule}`;
  if (one.rule === 'told') return String(one.text);
  return say(isTextKey(key) ? key : 'rules.format', one as unknown as Values);
}

/** All of them, one after the other. */
export function sayErrorLine(say: Say, errors: FieldErrors): string {
  const texts = Object.values(errors).flat();
  return [...new Set(texts.map((one) => sayBroken(say, one)))].join(' ');
}
