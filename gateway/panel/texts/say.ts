import type { Labels } from '../../../db/schema/field.ts';
import type { Locale } from '../../../db/schema/locale.ts';

/** A text in the language of the page, with its `{placeholders}` filled in. */
export type Say = (text: Labels, values?: Readonly<Record<string, string | number>>) => string;

export function sayIn(locale: Locale): Say {
  return (text, values = {}) =>
    text[locale].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
