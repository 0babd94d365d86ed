import { guestTexts } from '../texts/catalogues.ts';
import { ORIGIN_KINDS } from './origins.ts';
import { findCountry } from './values/country.ts';
import { LOCALES } from './values/locale.ts';
import type { Row } from './values/row.ts';

// Cells of tables in the words of people: `0,75 l`, `12,5 %`, `Manzo: Italia; Salmone: Norvegia`.

/** How many millilitres a unit has. */
const UNITS: Readonly<Record<string, number>> = { ml: 1, cl: 10, dl: 100, l: 1_000, lt: 1_000 };
const VOLUME = /^([0-9]+(?:[.,][0-9]+)?)\s*(ml|cl|dl|lt|l)$/i;

/** A volume with its unit in millilitres; another text stays as it is. */
export function readVolume(text: string): string {
  const [, number = '', unit = ''] = VOLUME.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (factor === undefined) return text;
  return String(Math.round(Number(number.replace(',', '.')) * factor));
}

/** A number with a comma or a percent sign; another text stays as it is. */
export function readDecimal(text: string): string {
  return text.replace(/\s*%(\s*vol\.?)?$/i, '').replace(/^([0-9]+),([0-9]+)$/, '$1.$2');
}

const plain = (text: string) => text.trim().toLocaleLowerCase();

const kinds = new Map<string, string>([
  ...LOCALES.flatMap((locale) => {
    const names = guestTexts(locale).origin_kinds;
    return ORIGIN_KINDS.map((kind): [string, string] => [plain(names[kind]), kind]);
  }),
  ...ORIGIN_KINDS.map((kind): [string, string] => [kind, kind]),
]);

/** One ingredient with its country; null for words without such a meaning. */
function readOrigin(part: string): Row | null {
  const [name = '', place = '', ...more] = part.split(':').map((one) => one.trim());
  const country = findCountry(place);
  if (name === '' || country === undefined || more.length > 0) return null;
  const kind = kinds.get(plain(name));
  return kind && kind !== 'other'
    ? { kind, country }
    : { kind: 'other', ingredient: name, country };
}

/**
 * Ingredients with their countries, `Manzo: Italia; Grana: IT`; an ingredient that is no kind of the
 * laws is `other`. A text that says anything else stays as it is: the rules refuse it.
 */
export function readOrigins(text: string): unknown {
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== '');
  const read = parts.map(readOrigin);
  return read.includes(null) ? text : read;
}
