import * as v from 'valibot';
import { createIgnoredFields } from './ignored-fields.ts';
import { blankToNull, isTranslated } from './input-fields.ts';
import type { FieldErrors } from './messages.ts';
import { sayRule } from './rule.ts';
import { shownField } from './shown-field.ts';

/** The fields that a body may have, each with its rules. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** What was sent, by field, in the form in which it is stored. */
export type Input = Record<string, unknown>;

/** What was sent, with the paths of the fields that have no meaning here; or what is wrong with it. */
export type Checked = { input: Input; ignored: readonly string[] } | { errors: FieldErrors };

/** The text for the person who broke a rule. @param code the rule and its limit */
export type SayRule = (code: string, field: string) => string;

/** What an issue says to the person who caused it, its message being a rule and its limit. */
function explain(field: string, issue: v.BaseIssue<unknown>, say: SayRule): string {
  const missing = issue.input === undefined || issue.input === null;
  return say(missing ? 'required' : issue.message, field);
}

/**
 * Everything that is wrong, one text a field.
 *
 * @param prefix of the fields' names, such as `events.3`
 */
export function errorsOf(
  issues: readonly v.BaseIssue<unknown>[],
  prefix = '',
  say: SayRule = sayRule,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const field = shownField(v.getDotPath(issue) ?? '', prefix);
    errors[field] ??= [explain(field, issue, say)];
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

/** The fields of a body, of which a reference may be left out when its external id is there. */
function withoutReplaced(schema: InputSchema, fields: Input): InputSchema {
  const replaced = Object.keys(schema.entries).filter(
    (name) =>
      !(name in fields) && fields[name.replace(/_id$/, '_external_id')] && name.endsWith('_id'),
  );
  if (replaced.length === 0) return schema;
  const optional = replaced.map((name) => [name, v.optional(schema.entries[name] as never)]);
  return v.object({ ...schema.entries, ...Object.fromEntries(optional) });
}

/**
 * Checks the shape of a body and says everything that is wrong with it, one text a field. Fields
 * that the schema does not know are ignored, and named.
 *
 * @param say makes the texts; Italian by default
 */
export function checkInput(schema: InputSchema, body: unknown, say: SayRule = sayRule): Checked {
  const known = Object.keys(schema.entries);
  const fields = isObject(body) ? knownFields(known, body) : {};
  const result = v.safeParse(withoutReplaced(schema, fields), fields);
  if (result.success) {
    const ignored = createIgnoredFields();
    if (isObject(body)) ignored.note(body, known);
    return { input: result.output as Input, ignored: ignored.paths() };
  }
  const errors = errorsOf(result.issues, '', say);
  for (const field of Object.keys(errors)) {
    const own = schema.entries[field];
    // In a change every field is optional.
    if (own && isTranslated('wrapped' in own ? own.wrapped : own)) {
      errors[`${field}.it`] = [say('required', `${field}.it`)];
    }
  }
  return { errors };
}
