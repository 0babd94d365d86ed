import * as v from 'valibot';
import { memoize, memoizeWeakly } from '../../runtime/memoize.ts';
import { USUAL_CURRENCY } from '../values/currency.ts';
import { FALLBACK_LOCALE, type Locale } from '../values/locale.ts';
import { externalName } from '../values/record-id.ts';
import { isObject } from '../values/row.ts';
import {
  blankToNull,
  listedFields,
  requiredLength,
  requiredTranslationsInput,
} from './input-fields.ts';
import { type Broken, broken, type FieldErrors, readRule } from './rule.ts';
import { madeSafe } from './safe-text.ts';

/** The fields that a body may have, each with its rules. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The fields that were sent, in the form in which they are stored. */
export type Input = Record<string, unknown>;

/** The checked input and the paths of fields that have no meaning here; or the errors. */
type Checked<T> = { input: T; ignored: readonly string[] } | { errors: FieldErrors };

function ruleOf(issue: v.BaseIssue<unknown>): Broken {
  const missing = issue.input === undefined || issue.input === null;
  return missing ? broken('required') : readRule(issue.message);
}

/**
 * An issue by its path. An object that is none of several forms is wrong in its fields; so is a
 * list in the place of an object.
 */
function innermost(issue: v.BaseIssue<unknown>, above = ''): [string, v.BaseIssue<unknown>][] {
  const path = [above, v.getDotPath(issue)].filter(Boolean).join('.');
  const isList = Array.isArray(issue.input) && issue.message === 'object';
  const inner =
    isList || isObject(issue.input) ? (issue.issues ?? []).filter((one) => one.path) : [];
  return inner.length === 0 ? [[path, issue]] : inner.flatMap((one) => innermost(one, path));
}

/**
 * Everything that is wrong, one rule a field.
 *
 * @param prefix of the fields' names, such as `events.3`
 */
export function errorsOf(issues: readonly v.BaseIssue<unknown>[], prefix = ''): FieldErrors {
  const errors: FieldErrors = {};
  for (const [path, issue] of issues.flatMap((one) => innermost(one))) {
    const field = shownField(path, prefix);
    errors[field] ??= [ruleOf(issue)];
  }
  return errors;
}

/** The end of the names under which readers get a text in all its languages. */
const ALL_TEXTS = '_translations';

/**
 * A body in which each translated text stands as it is written. A reader gets it twice: `name` in one
 * language, `name_translations` in all. So a text beside a map that has it was read, and means the map.
 * An empty text stands for an empty map alone: it may also take all texts away.
 *
 * @param known the names of fields that a body may have
 */
export function asWritten<T>(known: readonly string[], body: T): T {
  if (!isObject(body)) return body;
  const written: Input = { ...body };
  for (const [all, texts] of Object.entries(body)) {
    const name = all.slice(0, -ALL_TEXTS.length);
    const { [name]: text } = body;
    if (!all.endsWith(ALL_TEXTS) || !isObject(texts) || !known.includes(name)) continue;
    const list = Object.values(texts);
    if (!(text === '' ? list.length === 0 : list.includes(text))) continue;
    written[name] = texts;
    delete written[all];
  }
  return written as T;
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

/** The parts of a schema that tell which fields a body may have. */
interface Shape {
  names: readonly string[];
  /** References that must be there, unless their external ids are. */
  references: readonly { name: string; external: string }[];
  /** Lists of objects. */
  lists: readonly { name: string; shape: Shape }[];
}

/** Made once for each: to ask a schema for its lists takes 40 µs. */
const shapeOf: (entries: v.ObjectEntries) => Shape = memoizeWeakly((entries) => {
  const names = Object.keys(entries);
  return {
    names,
    references: names
      .filter((name) => name.endsWith('_id') && entries[name]?.type !== 'optional')
      .map((name) => ({ name, external: externalName(name) })),
    lists: Object.entries(entries).flatMap(([name, entry]) => {
      const listed = listedFields(wrapped(entry));
      return listed ? [{ name, shape: shapeOf(listed) }] : [];
    }),
  };
});

/** A schema in which some entries, named with commas, may be left out. */
const withOptional = memoizeWeakly((schema: InputSchema) =>
  memoize((names: string): InputSchema => {
    const own = names.split(',').map((name) => [name, v.optional(schema.entries[name] as never)]);
    return v.object({ ...schema.entries, ...Object.fromEntries(own) });
  }),
);

/** A reference may be left out when its external id is there. */
function withoutReplaced(schema: InputSchema, { references }: Shape, fields: Input): InputSchema {
  const replaced = references.filter(({ name, external }) => !(name in fields) && fields[external]);
  if (replaced.length === 0) return schema;
  return withOptional(schema)(replaced.map(({ name }) => name).join());
}

/** Notes the fields of a body that have no meaning, those of the objects in its lists too. */
function noteIgnored(ignored: IgnoredFields, { names, lists }: Shape, body: Input, prefix = '') {
  ignored.note(body, names, prefix);
  for (const { name, shape } of lists) {
    const list = body[name];
    if (!Array.isArray(list)) continue;
    const path = [prefix, name].filter(Boolean).join('.');
    list.forEach((one, index) => {
      if (!isObject(one)) return;
      noteIgnored(ignored, shape, asWritten(shape.names, one), `${path}.${index}`);
    });
  }
}

/** The paths of the fields of a body that have no meaning. */
function ignoredPaths(shape: Shape, body: Input): readonly string[] {
  const ignored = createIgnoredFields();
  noteIgnored(ignored, shape, body);
  return ignored.paths();
}

/** A field's schema, and its own one without `v.optional`. */
function wrapped(entry: v.GenericSchema): v.GenericSchema {
  return entry.type === 'optional' && 'wrapped' in entry
    ? (entry.wrapped as v.GenericSchema)
    : entry;
}

/** A record's schema whose names must be there in a language. */
const localized = memoizeWeakly((schema: InputSchema) =>
  memoize((fallback: Locale): InputSchema => {
    const entries = Object.entries(schema.entries).map(([name, entry]) => {
      const max = requiredLength(wrapped(entry));
      if (max === undefined) return [name, entry];
      const own = requiredTranslationsInput(max, fallback);
      return [name, entry.type === 'optional' ? v.optional(own) : own];
    });
    return v.object(Object.fromEntries(entries));
  }),
);

/** The same; the language of the declaration is Italian. */
function schemaIn(schema: InputSchema, fallback: Locale): InputSchema {
  return fallback === FALLBACK_LOCALE ? schema : localized(schema)(fallback);
}

/** The settings of a restaurant that decide which bodies are right. */
export interface InputSettings {
  /** The language that names must have. */
  fallbackLocale: Locale;
  /** Its decimals are those of prices. */
  currency: string;
}
const USUAL_SETTINGS: InputSettings = { fallbackLocale: FALLBACK_LOCALE, currency: USUAL_CURRENCY };

/**
 * Checks the shape of a body and says everything that is wrong with it, one rule a field. Fields
 * that the schema does not know are ignored, and named.
 */
export function checkInput<S extends InputSchema>(
  given: S,
  sent: unknown,
  { fallbackLocale: fallback, currency }: InputSettings = USUAL_SETTINGS,
): Checked<v.InferOutput<S>> {
  const schema = schemaIn(given, fallback);
  const shape = shapeOf(schema.entries);
  const body = asWritten(shape.names, sent);
  const fields = isObject(body) ? knownFields(shape.names, body) : {};
  const result = v.safeParse(withoutReplaced(schema, shape, fields), fields, { lang: currency });
  if (result.success) {
    const ignored = isObject(body) ? ignoredPaths(shape, body) : [];
    return { input: result.output, ignored };
  }
  const errors = errorsOf(result.issues);
  for (const field of Object.keys(errors)) {
    const own = schema.entries[field];
    // In a change every field is optional.
    if (own && requiredLength(wrapped(own)) !== undefined) {
      errors[`${field}.${fallback}`] = [broken('required')];
    }
  }
  return { errors };
}

const MAX_FIELD_LENGTH = 64;

/**
 * A field's path as answers name it. Its last key may be the client's invention, of any length and with
 * anything in it. The cut may go through a surrogate pair, and strict readers of JSON refuse half of
 * one.
 *
 * @param prefix such as `events.3`
 */
function shownField(path: string, prefix: string): string {
  const shown = madeSafe(path.slice(0, MAX_FIELD_LENGTH));
  return [prefix, shown].filter(Boolean).join('.');
}

/** Paths that an answer names at most: a body may hold thousands. */
const MOST_NAMED = 20;

/** The fields of a body that have no meaning here, by their paths, the first ones of many. */
export interface IgnoredFields {
  /** @param prefix of the fields' names, such as `events.3` */
  note(body: object, known: readonly string[], prefix?: string): void;
  paths(): readonly string[];
}

export function createIgnoredFields(): IgnoredFields {
  const paths = new Set<string>();
  return {
    note: (body, known, prefix = '') => {
      for (const field of Object.keys(body)) {
        if (paths.size >= MOST_NAMED) return;
        if (!known.includes(field)) paths.add(shownField(field, prefix));
      }
    },
    paths: () => [...paths],
  };
}
