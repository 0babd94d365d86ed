import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { isDay } from '../../db/runtime/day.ts';
import { createIgnoredFields, errorsOf } from '../../db/schema/validation/check-input.ts';
import { describedAs } from '../../db/schema/validation/described-as.ts';
import { broken, rule } from '../../db/schema/validation/rule.ts';
import { InvalidError, TooLongError } from './errors.ts';

/**
 * The parameters of a query string. A parameter that is given twice counts with its last value, and
 * one that is blank counts as not given. Percent signs that encode nothing stay as they are.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  // A second question mark belongs to a name; at the very beginning it would be taken away.
  for (const [name, value] of new URLSearchParams(`&${query}`)) {
    const text = value.trim();
    if (text === '') parameters.delete(name);
    else parameters.set(name, text);
  }
  return parameters;
}

/** The query of a page. No limit guards pages, and none of ours asks for so much. */
export function pageQuery({ query }: { query: string }): string {
  return query.length > constants.maxQueryLength ? '' : query;
}

/** The names of the parameters of a query that have no meaning here, the first ones of many. */
export function unknownParameters(query: string, known: readonly string[]): readonly string[] {
  if (query === '') return [];
  const ignored = createIgnoredFields();
  ignored.note(Object.fromEntries(parseQuery(query)), known);
  return ignored.paths();
}

/** Whether a parameter is there, and says nothing. */
function isBlank(query: string, name: string): boolean {
  return new URLSearchParams(`&${query}`).getAll(name).at(-1)?.trim() === '';
}

/**
 * As `checkQuery`, with the names of the parameters that the schema does not know.
 *
 * @param filters parameters that may not be blank: who forgets a value would get all that there is
 * @throws InvalidError, TooLongError
 */
export function readQuery<E extends v.ObjectEntries>(
  schema: v.ObjectSchema<E, undefined>,
  query: string,
  filters: readonly (keyof E & string)[] = [],
) {
  const values = checkQuery(schema, query);
  const blank = filters.filter((name) => name in schema.entries && isBlank(query, name));
  if (blank.length > 0) {
    throw new InvalidError(Object.fromEntries(blank.map((name) => [name, [broken('required')]])));
  }
  return { values, ignored: unknownParameters(query, Object.keys(schema.entries)) };
}

/**
 * The names of the parameters of a request that has no meaning for any.
 *
 * @throws TooLongError
 */
export function ignoredQuery(query: string): readonly string[] {
  return readQuery(v.object({}), query).ignored;
}

/**
 * The parameters of a query string as a schema makes them.
 *
 * @throws InvalidError which names every parameter that breaks a rule
 * @throws TooLongError for a query that is longer than any useful one
 */
export function checkQuery<S extends v.GenericSchema>(schema: S, query: string): v.InferOutput<S> {
  if (query.length > constants.maxQueryLength) throw new TooLongError();
  const given = Object.fromEntries(parseQuery(query));
  const result = v.safeParse(schema, given, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new InvalidError(errorsOf(result.issues));
}

const DAY_FORM = rule('dateFormat', { format: 'YYYY-MM-DD' });

/** A day as `YYYY-MM-DD`, or none. */
export function dayParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}-\d{2}$/, DAY_FORM),
      v.check(isDay, DAY_FORM),
      describedAs({ type: 'string', format: 'date', description }),
    ),
  );
}
