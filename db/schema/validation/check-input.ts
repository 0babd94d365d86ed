import * as v from 'valibot';
import { blankToNull, isTranslated, UNSTORABLE } from './input-fields.ts';
import { type FieldErrors, ruleTexts } from './messages.ts';
import { sayRule } from './rule.ts';

/** The fields that a body may have, each with its rules. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** What was sent, by field, in the form in which it is stored. */
export type Input = Record<string, unknown>;

export type Checked = { input: Input } | { errors: FieldErrors };

const MAX_FIELD_LENGTH = 64;

/** What an issue says to the person who caused it, its message being a rule and its limit. */
function explain(field: string, issue: v.BaseIssue<unknown>): string {
  const missing = issue.input === undefined || issue.input === null;
  return missing ? ruleTexts.required(field) : sayRule(issue.message, field);
}

/**
 * Everything that is wrong, one text a field.
 *
 * @param prefix of the fields' names, such as `events.3`
 */
export function errorsOf(issues: readonly v.BaseIssue<unknown>[], prefix = ''): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    // The last key may be the client's invention, of any length and with anything in it; and the cut
    // may go through a sign of two halves, of which strict readers of JSON take no single one.
    const path = (v.getDotPath(issue) ?? '').slice(0, MAX_FIELD_LENGTH);
    const shown = path.split(UNSTORABLE).join('\ufffd');
    const field = [prefix, shown].filter(Boolean).join('.');
    errors[field] ??= [explain(field, issue)];
  }
  return errors;
}

export function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Those of the fields that a body has. Texts count without the blanks around them, and a blank one is
 * null, whatever the field's type.
 */
export function knownFields(fields: readonly string[], body: Input): Input {
  const known: Input = {};
  for (const field of fields) {
    if (!Object.hasOwn(body, field)) continue;
    known[field] = blankToNull(body[field]);
  }
  return known;
}

/**
 * Checks the shape of a body and says everything that is wrong with it, one text a field. Fields
 * that the schema does not know are ignored.
 */
export function checkInput(schema: InputSchema, body: unknown): Checked {
  const fields = isObject(body) ? knownFields(Object.keys(schema.entries), body) : {};
  const result = v.safeParse(schema, fields);
  if (result.success) return { input: result.output as Input };
  const errors = errorsOf(result.issues);
  for (const field of Object.keys(errors)) {
    const own = schema.entries[field];
    // In a change every field is optional.
    if (own && isTranslated('wrapped' in own ? own.wrapped : own)) {
      errors[`${field}.it`] = [ruleTexts.required(`${field}.it`)];
    }
  }
  return { errors };
}
