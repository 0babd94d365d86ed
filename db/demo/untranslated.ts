import type { Texts } from './restaurant.ts';

/** A name no menu translates, such as «Cacio e pepe»: the same in every language. */
export function untranslated(name: string): Texts {
  return { it: name, en: name, fr: name, de: name, es: name };
}
