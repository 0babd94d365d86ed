import { DOCUMENT_FORMAT } from '../../../db/schema/bulk.ts';
import type { Field } from '../../../db/schema/field.ts';
import { type Resource, records } from '../../../db/schema/registry.ts';
import { bodyRules } from '../../../db/schema/validation/messages.ts';
import type { Broken, FieldErrors, RuleName } from '../../../db/schema/validation/rule.ts';
import { isLocale, LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import type { Say } from '../../../db/texts/say.ts';
import { sayBroken } from '../texts/rules.ts';

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

/** The text of a broken rule in a file; of one that has a list, with the list. */
export function errorText(say: Say, one: Broken): string {
  const text = sayBroken(say, one);
  return one.rule === 'oneOf' ? `${text} (${(one.values as string[]).join(', ')})` : text;
}

/** Rules about a file as a whole, whose text names what is wrong. */
const ABOUT_FILE: ReadonlySet<RuleName> = new Set(bodyRules);

/** The errors of a file as a whole. */
export function wholeErrors(say: Say, errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([key, rules]) =>
    rules.map((one) => {
      const isNoMenu = key === 'format' || (key === 'body' && one.rule === 'format');
      if (isNoMenu) return say('import.noMenu', { n: DOCUMENT_FORMAT });
      const text = errorText(say, one);
      return key === 'menu' || ABOUT_FILE.has(one.rule) ? text : `${key}: ${text}`;
    }),
  );
}
