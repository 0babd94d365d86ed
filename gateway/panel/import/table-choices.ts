import { CODE_KEYS, CODE_MEANINGS, SIGN_MEANINGS } from '../../../db/schema/choice-words.ts';
import { COLUMN_TARGETS, NO_TARGET } from '../../../db/schema/column-names.ts';
import {
  type AskedTable,
  DECIMAL_SIGNS,
  type DecimalSign,
  ENCODINGS,
  MAX_COLUMNS,
  MAX_SIGNS,
  type TableFacts,
} from '../../../db/schema/table.ts';
import { ALL_LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import { select } from '../forms/inputs.ts';

/** The most signs and codes that a page asks for, and the most cells that it corrects. */
export const MOST_SIGNS = 3 * MAX_SIGNS;
export const MOST_CELLS = 200;

/** The value for a column whose meaning is not said. */
const UNSAID = '?';

const among = <T extends string>(words: readonly T[], given: string | undefined) =>
  words.find((word) => word === given);

/** The meaning that a select has: a text stands there without the language of the whole table. */
function readTarget(given: string | undefined, locale: Locale | undefined): string | null {
  if (given === UNSAID) return null;
  return among(COLUMN_TARGETS, `${given}_${locale}`) ?? among(COLUMN_TARGETS, given) ?? NO_TARGET;
}

/** The meanings of columns that a form has, by their places; undefined when it has none. */
function readPlaces(fields: ReadonlyMap<string, string>, locale: Locale | undefined) {
  const places: (string | null)[] = [];
  for (let at = 0; at < MAX_COLUMNS && fields.has(`column.${at}`); at += 1) {
    const given = fields.get(`column.${at}`);
    places.push(readTarget(given, locale));
  }
  return places.length > 0 ? places : undefined;
}

/** The meanings of signs and codes that a form has; undefined when it has none. */
function readSigns(fields: ReadonlyMap<string, string>): AskedTable['signs'] {
  const signs: [string, string][] = [];
  for (let at = 0; at < MOST_SIGNS; at += 1) {
    const sign = fields.get(`sign.${at}`);
    const meaning = among([...SIGN_MEANINGS, ...CODE_MEANINGS], fields.get(`meaning.${at}`));
    if (sign !== undefined && meaning) signs.push([sign, meaning]);
  }
  return signs.length > 0 ? Object.fromEntries(signs) : undefined;
}

/** The fields with a prefix, without it; the first ones of many. */
function withPrefix(fields: ReadonlyMap<string, string>, prefix: string): [string, string][] {
  return [...fields]
    .filter(([name]) => name.startsWith(prefix))
    .slice(0, MOST_CELLS)
    .map(([name, value]) => [name.slice(prefix.length), value]);
}

/** The fields about a table that were sent. */
export function readTableChoices(fields: ReadonlyMap<string, string>): AskedTable {
  const cells = withPrefix(fields, 'cell.').filter(
    ([place, text]) => text !== fields.get(`was.${place}`),
  );
  const left = withPrefix(fields, 'leave.').map(([row]) => row);
  const sheet = fields.get('sheet') ?? '';
  const locale = among(ALL_LOCALES, fields.get('locale'));
  return {
    encoding: among(ENCODINGS, fields.get('encoding')),
    decimal_sign: among(DECIMAL_SIGNS, fields.get('decimal_sign')),
    locale,
    places: readPlaces(fields, locale),
    signs: readSigns(fields),
    code_key: among(CODE_KEYS, fields.get('code_key')),
    ...(sheet !== '' && { sheet: sheet.slice(0, 100) }),
    ...(fields.get('hidden_rows') === '1' && { hidden_rows: true }),
    ...(fields.get('without_prices') === '1' && { without_prices: true }),
    ...(cells.length > 0 && { cells: Object.fromEntries(cells) }),
    ...(left.length > 0 && { left_rows: left }),
  };
}

/** Choices as the hidden fields of another form bring them on. */
export function carriedChoices({
  encoding,
  decimal_sign,
  locale,
  places,
  signs,
  code_key,
  sheet,
  ...rest
}: AskedTable): Record<string, string> {
  const { hidden_rows, without_prices, cells = {}, left_rows = [] } = rest;
  const meanings = Object.entries(signs ?? {}).flatMap(([sign, meaning], at) => [
    [`sign.${at}`, sign] as const,
    [`meaning.${at}`, meaning] as const,
  ]);
  const columns = (places ?? []).map((target, at) => [`column.${at}`, target ?? UNSAID] as const);
  const corrected = Object.entries(cells).map(([place, text]) => [`cell.${place}`, text] as const);
  const left = left_rows.map((row) => [`leave.${row}`, '1'] as const);
  return {
    ...(encoding && { encoding }),
    ...(decimal_sign && { decimal_sign }),
    ...(locale && { locale }),
    ...(code_key && { code_key }),
    ...(sheet !== undefined && { sheet }),
    ...(hidden_rows && { hidden_rows: '1' }),
    ...(without_prices && { without_prices: '1' }),
    ...Object.fromEntries([...columns, ...meanings, ...corrected, ...left]),
  };
}

/** The choices that read a table as it was read. */
export function choicesOf(
  { encoding, decimal_sign, columns, signs = [], codes = [] }: TableFacts,
  asked: AskedTable,
): AskedTable {
  return {
    ...asked,
    encoding: encoding === 'xlsx' ? undefined : encoding,
    decimal_sign: decimal_sign ?? undefined,
    places: columns.map(({ target, left }) => target ?? (left === 'chosen' ? NO_TARGET : null)),
    signs: Object.fromEntries(
      [...signs, ...codes].flatMap(({ sign, meaning }) =>
        meaning ? [[sign, meaning] as const] : [],
      ),
    ),
  };
}

/** The fields that say how a table is written; what is not chosen is found. */
export function tableChoices(say: Say, { encoding, decimal_sign }: AskedTable): Html {
  const found = { value: '', label: say('import.found') };
  const names: Record<DecimalSign, string> = { ',': say('import.comma'), '.': say('import.point') };
  const encodings = ENCODINGS.map((value) => ({ value, label: encodingName(value) }));
  const signs = DECIMAL_SIGNS.map((value) => ({ value, label: names[value] }));
  const sign = {
    name: 'decimal_sign',
    label: say('import.decimalSign'),
    value: decimal_sign ?? '',
  };
  const bytes = { name: 'encoding', label: say('import.encoding'), value: encoding ?? '' };
  return html`${select(sign, [found, ...signs])}${select(bytes, [found, ...encodings])}`;
}

/** The name of an encoding, as people know it. */
function encodingName(encoding: TableFacts['encoding']): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  return encoding.replace(/^utf|^./, (letters) => letters.toUpperCase());
}

/** A sentence with how a table was read. */
export function tableRead(say: Say, { encoding, separator, decimal_sign: sign }: TableFacts) {
  if (separator === null) return say('import.bookRead');
  return say('import.tableRead', {
    encoding: encodingName(encoding),
    separator: separator === '\t' ? say('import.tab') : say('import.quoted', { text: separator }),
    sign: sign === null ? say('import.noDecimals') : say('import.quoted', { text: sign }),
  });
}
