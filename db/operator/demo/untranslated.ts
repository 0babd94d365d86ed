import type { Translations } from '../../schema/locale.ts';

/** A name no menu translates, such as «Cacio e pepe»: the same in every language. */
export function untranslated(name: string): Translations {
  return { it: name, en: name, fr: name, de: name, es: name };
}
