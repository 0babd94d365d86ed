import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { parametersOf } from './parameters.ts';

/** The text of a broken rule, such as `maxLength:200`, in the page's language. */
export function sayRuleIn(say: Say, code: string): string {
  const [name = '', ...limit] = code.split(':');
  const key = `rules.${name}`;
  return say(isTextKey(key) ? key : 'rules.format', { n: limit.join(':') });
}

type Template = (field: string, ...limits: string[]) => string;

/**
 * The text of an error that a worker told in Italian, in the page's language; the Italian one where the
 * rule behind it cannot be told.
 */
export function translateError(say: Say, field: string, italian: string): string {
  for (const [name, template] of Object.entries(ruleTexts)) {
    const of = template as Template;
    const limits = parametersOf(
      of.length > 1 ? (limit: string) => of(field, limit) : () => of(field),
      italian,
    );
    if (limits) return sayRuleIn(say, [name, ...limits].join(':'));
  }
  return italian;
}
