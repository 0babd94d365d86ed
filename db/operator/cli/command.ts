import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';
import { asError } from '../../runtime/operator-error.ts';
import type { OriginOf } from '../../runtime/restaurant-origin.ts';
import type { Ask } from './ask.ts';

export type Context = {
  database: Database;
  /** The URL of a way to the database with sessions. */
  databaseUrl: string;
  /** The migrations that were applied before the command: an embedded database is kept current. */
  migrated: string[];
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  progress: (line: string) => void;
  /** Shows how far a long work has come, on a terminal by writing over what it showed before. */
  progressOf: (what: string, done: number, total: number) => void;
  ask: Ask;
};

export interface CommandReport {
  text: string;
  /** Whether the exit code says that something is wrong. */
  failed: boolean;
}

/** The part that all commands have. */
interface Described {
  /** The words that name it, such as `tenant create`. */
  name: string;
  /** Its arguments, such as `<slug> --name N [--locale it]`; the first ones are given by position. */
  usage: string;
  /** Half a line for the list of commands. */
  summary: string;
  /** The form of each argument, a line each, and whatever else there is to be said. */
  explanation: string[];
}

/** One command of the operators' CLI, ready to parse its arguments and run. */
export interface Command extends Described {
  /** Whether it makes sense where there are no data yet: an embedded database is then created. */
  mayBegin: boolean;
  /**
   * Checks the arguments and returns the work to do.
   *
   * @throws {UsageError} when they are not what `usage` says.
   */
  prepare: (args: string[]) => (context: Context) => Promise<CommandReport>;
}

/** A command that looks for the database itself, and may well find none or need none. */
export interface LoneCommand extends Described {
  /** @throws {UsageError} when the arguments are not what `usage` says */
  runAlone: (env: NodeJS.ProcessEnv, args: string[]) => Promise<CommandReport>;
}

export function jsonReport(result: unknown): CommandReport {
  return { text: JSON.stringify(result, null, 2), failed: false };
}

/** Arguments that a command does not take. */
export class UsageError extends Error {
  override name = 'UsageError';
}

type Entries = v.ObjectEntries;
type Input<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>;

interface Shape<E extends Entries> extends Omit<Described, 'explanation'> {
  entries: E;
  /** An argument that others make necessary, and that is missing. */
  lacking?(input: v.InferOutput<v.ObjectSchema<E, undefined>>): (keyof E & string) | undefined;
  /** Further explanation, below the arguments. */
  help?: string;
  mayBegin?: boolean;
}

type Definition<E extends Entries> = Shape<E> &
  (
    | { reports?: false; run: (input: Input<E>, context: Context) => Promise<unknown> }
    | { reports: true; run: (input: Input<E>, context: Context) => Promise<CommandReport> }
  );

/** The description of a command, and the function that reads its arguments. */
function describeArguments<E extends Entries>(shape: Shape<E>) {
  const { name, usage, summary, entries, help = [] } = shape;
  const [byPosition = ''] = /^(<\w+> ?)*/.exec(usage) ?? [];
  const positionals: string[] = byPosition.match(/\w+/g) ?? [];
  const shown = (entry: string) => (positionals.includes(entry) ? `<${entry}>` : `--${entry}`);
  const forms = Object.entries(entries).map(
    ([entry, form]) => [entry, v.getDescription(ownSchema(form))] as const,
  );
  const read = (args: string[]): Input<E> => {
    const result = v.safeParse(v.object(entries), readArguments(args, entries, positionals));
    const lacking = result.success ? shape.lacking?.(result.output) : undefined;
    if (result.success && lacking === undefined) return result.output;
    const [issue] = result.issues ?? [];
    const entry = lacking ?? String(issue?.path?.[0]?.key);
    const form = new Map(forms).get(entry);
    const reason = issue?.input === undefined ? `is missing: ${form}` : issue.message;
    throw new UsageError(`${shown(entry)} ${reason}.`);
  };
  const explanation = forms.map(([entry, form]) => `${shown(entry)}: ${form}`).concat(help);
  return { said: { name, usage, summary, explanation }, read };
}

/** Describes a command whose options and positional arguments are the entries of one schema. */
export function defineCommand<E extends Entries>(definition: Definition<E>): Command {
  const { said, read } = describeArguments(definition);
  return {
    ...{ ...said, mayBegin: definition.mayBegin ?? false },
    prepare: (args) => {
      const input = read(args);
      return async (context) =>
        definition.reports
          ? definition.run(input, context)
          : jsonReport(await definition.run(input, context));
    },
  };
}

/** The same for a command that needs no database. */
export function defineLoneCommand<E extends Entries>(
  definition: Shape<E> & { run(input: Input<E>, env: NodeJS.ProcessEnv): Promise<CommandReport> },
): LoneCommand {
  const { said, read } = describeArguments(definition);
  return { ...said, runAlone: async (env, args) => definition.run(read(args), env) };
}

/** The schema of an argument that is given. */
function ownSchema(schema: Entries[string]): v.GenericSchema {
  return ('wrapped' in schema ? schema.wrapped : schema) as v.GenericSchema;
}

const PASSWORD = /^--password(=|$)/;

function readArguments(args: string[], entries: Entries, positionals: string[]) {
  if (args.some((arg) => PASSWORD.test(arg))) {
    throw new UsageError(
      'A command line shows its passwords to everybody on this machine and in logs, so it takes ' +
        'none: leave --password out, and type the password when you are asked, or write it on the ' +
        'first line of standard input.',
    );
  }
  const named = Object.entries(entries).filter(([entry]) => !positionals.includes(entry));
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    named.map(([entry, schema]) => {
      const isFlag = ownSchema(schema).type === 'boolean';
      return [entry, { type: isFlag ? 'boolean' : 'string' }];
    }),
  );
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    const surplus = parsed.positionals[positionals.length];
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    const byPosition = positionals.map((entry, index) => [entry, parsed.positionals[index]]);
    return { ...Object.fromEntries(byPosition), ...parsed.values };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = asError(error);
    if (code?.startsWith('ERR_PARSE_ARGS')) throw new UsageError(message);
    throw error;
  }
}
