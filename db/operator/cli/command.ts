import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';

/** What a command works with. Whatever it has to say on the way goes to `progress`. */
export type Context = {
  database: Database;
  databaseUrl: string;
  /** The migrations that were applied before the command: an embedded database is kept current. */
  migrated: string[];
  progress: (line: string) => void;
};

/** One command of the operators' CLI, ready to parse its arguments and run. */
export type Command = {
  /** The words that name it, such as `tenant create`. */
  name: string;
  /** Its arguments, such as `<slug> --name N [--locale it]`. */
  usage: string;
  /** What it does, in half a line. */
  summary: string;
  /**
   * Checks the arguments and returns the work to do, which resolves to the JSON to print.
   *
   * @throws {UsageError} when they are not what `usage` says.
   */
  prepare: (args: string[]) => (context: Context) => Promise<unknown>;
};

/** A command that looks for the database itself, and may well find none or need none. */
export type LoneCommand = Pick<Command, 'name' | 'usage' | 'summary'> & {
  /** Resolves to the JSON to print, and to whether the exit code says that something is wrong. */
  runAlone: (env: NodeJS.ProcessEnv) => Promise<{ result: unknown; failed: boolean }>;
};

/** Arguments that a command does not take. */
export class UsageError extends Error {
  override name = 'UsageError';
}

type Entries = v.ObjectEntries;
type Input<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>;

/** Describes a command whose options and positional arguments are the entries of one schema. */
export function defineCommand<E extends Entries>(definition: {
  name: string;
  usage: string;
  summary: string;
  /** The entries that are given by position instead of by `--name`, in their order. */
  positionals?: (keyof E & string)[];
  entries: E;
  run: (input: Input<E>, context: Context) => Promise<unknown>;
}): Command {
  const { name, usage, summary, positionals = [], entries, run } = definition;
  return {
    name,
    usage,
    summary,
    prepare: (args) => {
      const given = readArguments(args, Object.keys(entries), positionals);
      const result = v.safeParse(v.object(entries), given);
      if (result.success) return (context) => run(result.output, context);
      const [issue] = result.issues;
      const entry = String(issue.path?.[0]?.key);
      const shown = positionals.includes(entry) ? `<${entry}>` : `--${entry}`;
      const reason = issue.input === undefined ? 'is missing' : issue.message;
      throw new UsageError(`${shown} ${reason}.`);
    },
  };
}

function readArguments(args: string[], entries: string[], positionals: string[]) {
  const named = entries.filter((entry) => !positionals.includes(entry));
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    named.map((entry) => [entry, { type: 'string' }]),
  );
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    const surplus = parsed.positionals[positionals.length];
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    const byPosition = positionals.map((entry, index) => [entry, parsed.positionals[index]]);
    return { ...Object.fromEntries(byPosition), ...parsed.values };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS')) throw new UsageError(message);
    throw error;
  }
}
