import {
  type AskedTable,
  DECIMAL_SIGNS,
  type DecimalSign,
  ENCODINGS,
  type Encoding,
  type TableFacts,
} from '../../../db/schema/table.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import { select } from '../forms/inputs.ts';

const among = <T extends string>(words: readonly T[], given: string | undefined) =>
  words.find((word) => word === given);

/** The fields of `tableChoices` that were sent. */
export function readTableChoices(fields: ReadonlyMap<string, string>): AskedTable {
  return {
    encoding: among(ENCODINGS, fields.get('encoding')),
    decimal_sign: among(DECIMAL_SIGNS, fields.get('decimal_sign')),
  };
}

/** Choices as the hidden fields of another form bring them on. */
export function carriedChoices({ encoding, decimal_sign }: AskedTable): Record<string, string> {
  return { ...(encoding && { encoding }), ...(decimal_sign && { decimal_sign }) };
}

/** The fields that say how a table is written; what is not chosen is found. */
export function tableChoices(say: Say, { encoding, decimal_sign }: AskedTable): Html {
  const found = { value: '', label: say('import.found') };
  const names: Record<DecimalSign, string> = { ',': say('import.comma'), '.': say('import.point') };
  const encodings = ENCODINGS.map((value) => ({ value, label: encodingName(value) }));
  const signs = DECIMAL_SIGNS.map((value) => ({ value, label: names[value] }));
  return html`${select(
    { name: 'decimal_sign', label: say('import.decimalSign'), value: decimal_sign ?? '' },
    [found, ...signs],
  )}${select({ name: 'encoding', label: say('import.encoding'), value: encoding ?? '' }, [found, ...encodings])}`;
}

/** The name of an encoding, as people know it. */
function encodingName(encoding: Encoding): string {
  return encoding === 'macintosh'
    ? 'Mac Roman'
    : encoding.replace(/^./, (letter) => letter.toUpperCase());
}

/** A sentence with how a table was read. */
export function tableRead(
  say: Say,
  { encoding, separator, decimal_sign: sign }: TableFacts,
): string {
  return say('import.tableRead', {
    encoding: encodingName(encoding),
    separator: separator === '\t' ? say('import.tab') : separator,
    sign: sign ?? say('import.noDecimals'),
  });
}
