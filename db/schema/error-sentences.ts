import { isTextKey, panelLanguage } from '../texts/catalogues.ts';
import { type Say, sayIn, type Values } from '../texts/say.ts';
import type { Field } from './field.ts';
import { records } from './registry.ts';
import { sayErrors, summarize } from './validation/messages.ts';
import { type Broken, type FieldErrors, mapErrors, type TableCell } from './validation/rule.ts';
import type { Resource } from './values/resource.ts';
import { listIn } from './values/row.ts';

/** The text of a broken rule, without its field. */
export function sayBroken(say: Say, one: Broken): string {
  const key = `rules.${one.rule}`;
  if (one.rule === 'told') return String(one.text);
  return say(isTextKey(key) ? key : 'rules.format', one as unknown as Values);
}

/** Where a value stands: `Row 51, Lasagne, Price “abc”`. */
function cellName(say: Say, label: string, { row, sheet, name, column, value }: TableCell): string {
  const quoted = value === '' ? '' : say('import.quoted', { text: value });
  const place = row === undefined ? '' : say('import.rowPlace', { n: row });
  return [sheet ?? '', place, name, [column || label, quoted].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
}

function labelOf(say: Say, resource: Resource | null, key: string): string {
  const [name = ''] = key.split('.');
  const fields: Readonly<Record<string, Field>> = resource ? records[resource].fields : {};
  const own = name.replace(/_external_id$/, '_id');
  return Object.hasOwn(fields, own) ? say((fields[own] as Field).options.label) : key;
}

/**
 * Errors in a language, or in English where the panel lacks it. Each names its field, and the record
 * and the value where they are known. In Italian they are the sentences of the contract.
 *
 * @param path of the record in its document, such as `items.3`
 */
export function tellErrors(
  language: string,
  errors: FieldErrors,
  {
    path = '',
    resource = null,
  }: { path?: string | undefined; resource?: Resource | null | undefined } = {},
): Record<string, string[]> {
  if (language === 'it') return sayErrors(errors, path);
  const say = sayIn(panelLanguage(language));
  return mapErrors(errors, (one, key) => {
    const label = labelOf(say, resource, key);
    const place = one.cell ? cellName(say, label, one.cell) : resource === null ? '' : label;
    const words = one.rule === 'oneOf' ? ` (${listIn(one.values).join(', ')})` : '';
    return [place, `${sayBroken(say, one)}${words}`].filter(Boolean).join(': ');
  });
}

/**
 * The first of them, and how many more there are.
 *
 * @param count of all errors, where more are known than these
 */
export function tellFirst(language: string, errors: Readonly<Record<string, string[]>>, count = 0) {
  if (language === 'it') return summarize(errors, count);
  const [first = '', ...others] = Object.values(errors).flat();
  const n = Math.max(count - 1, others.length);
  return n === 0 ? first : `${first} ${sayIn(panelLanguage(language))('import.moreErrors', { n })}`;
}
