import * as v from 'valibot';
import type { ruleTexts } from './messages.ts';

export type RuleName = keyof typeof ruleTexts;

/** The parameters that a rule's sentence names beside the field. */
type Parameters<R extends RuleName> = (typeof ruleTexts)[R] extends (field: string) => string
  ? []
  : (typeof ruleTexts)[R] extends (field: string, named: infer P) => string
    ? [named: P]
    : never;

/** A value of a table or a document: where it stands, the name of its record, and what it says. */
export interface TableCell {
  /** As a spreadsheet counts; none in a document. */
  row?: number | undefined;
  /** The name of its sheet, where several were read. */
  sheet?: string | undefined;
  name: string;
  /** The header of its column, and the column's place from 0; empty for a row as a whole and in a document. */
  column: string;
  at?: number | undefined;
  value: string;
}

/** A broken rule with its parameters, such as `{ rule: 'max', max: 200 }`. */
export interface Broken {
  rule: RuleName;
  /** The value that breaks it, in an import. */
  cell?: TableCell;
  readonly [parameter: string]: unknown;
}

/** Broken rules by field. Sentences are made of them where they are read. */
export type FieldErrors = Record<string, Broken[]>;

/** Something of each broken rule, by field. */
export function mapErrors<T>(errors: FieldErrors, of: (one: Broken, field: string) => T) {
  const mapped = Object.entries(errors).map(([field, rules]): [string, T[]] => {
    return [field, rules.map((one) => of(one, field))];
  });
  return Object.fromEntries(mapped);
}

export function broken<R extends RuleName>(name: R, ...[named]: Parameters<R>): Broken {
  return { rule: name, ...(named as object | undefined) };
}

/**
 * A rule as a schema's message carries it, which can be a text only. A rule without parameters is its
 * name.
 */
export function rule<R extends RuleName>(name: R, ...named: Parameters<R>): string {
  return JSON.stringify(broken(name, ...named));
}

/** The rule that a value is one of these. */
export function oneOfRule(values: readonly string[]): string {
  return rule('oneOf', { values });
}

/** The rule that the message of a schema carries. */
export function readRule(message: string): Broken {
  return message.startsWith('{') ? JSON.parse(message) : { rule: message as RuleName };
}

const brokenSchema = v.custom<Broken>(
  (one) => typeof one === 'object' && one !== null && 'rule' in one,
);
/** A release of 2026 stored Italian sentences: such a one stays as it is. */
const sentenceSchema = v.pipe(
  v.string(),
  v.transform((text) => broken('told', { text })),
);

/** Errors as workers store them. */
export const fieldErrorsSchema = v.record(
  v.string(),
  v.array(v.union([brokenSchema, sentenceSchema])),
);
