import { DOCUMENT_FORMAT } from '../../../db/schema/bulk.ts';
import type { Field } from '../../../db/schema/field.ts';
import { isLocale } from '../../../db/schema/locale.ts';
import { type Resource, records } from '../../../db/schema/registry.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import type { Say } from '../../../db/texts/say.ts';
import { LANGUAGE_NAMES } from '../texts/choose.ts';
import { sayBodyTrouble } from '../texts/document-errors.ts';
import { parametersOf } from '../texts/parameters.ts';
import { translateError } from '../texts/rules.ts';

/** The label for the field of an error, such as `name.it` or `category_external_id`. */
export function errorLabel(say: Say, resource: Resource | null, key: string): string {
  const [name = '', ...rest] = key.split('.');
  const fields: Readonly<Record<string, Field>> = resource ? records[resource].fields : {};
  const own = name.replace(/_external_id$/, '_id');
  const field = Object.hasOwn(fields, own) ? fields[own] : undefined;
  if (!field) return key;
  const language = rest.find(isLocale);
  const label = say(field.options.label);
  return language ? `${label} (${LANGUAGE_NAMES[language]})` : label;
}

/**
 * A worker's Italian message about a field, in the page's language.
 *
 * @param path of the record in the file
 */
export function errorText(say: Say, path: string, key: string, italian: string): string {
  const values = parametersOf((list) => ruleTexts.oneOf(key, list), italian);
  const text = translateError(say, key || path, italian);
  return values ? `${text} (${values[0]})` : text;
}

/** The errors of a file as a whole. */
export function wholeErrors(say: Say, errors: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(errors).flatMap(([key, texts]) =>
    texts.map((text) => {
      const isNoMenu = key === 'format' || text === ruleTexts.format('body');
      if (isNoMenu) return say('import.noMenu', { n: DOCUMENT_FORMAT });
      const said = sayBodyTrouble(say, text) ?? (key === 'menu' && errorText(say, '', key, text));
      return said || `${key}: ${errorText(say, '', key, text)}`;
    }),
  );
}
