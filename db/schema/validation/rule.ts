import { ruleTexts } from './messages.ts';

type RuleName = keyof typeof ruleTexts;

/**
 * A broken rule as a schema's message carries it. Which field broke it is known only when the whole
 * input has been read: then `sayRule` makes the text.
 *
 * @param limit what the text names
 */
export function rule(name: RuleName, limit?: number | string): string {
  return limit === undefined ? name : `${name}:${limit}`;
}

/** The rule that a value is one of these, which its text lists. */
export function oneOfRule(values: readonly string[]): string {
  return rule('oneOf', values.join(', '));
}

/** The Italian text of a `rule` that `field` broke. */
export function sayRule(code: string, field: string): string {
  const end = code.includes(':') ? code.indexOf(':') : code.length;
  const text = ruleTexts[code.slice(0, end) as RuleName];
  return (text as (field: string, limit: string) => string)(field, code.slice(end + 1));
}
