import { createDatabase } from '../../postgres/connection.ts';
import { operatorMessage } from '../../postgres/outage.ts';
import { readConfig } from '../../runtime/config.ts';
import { createOriginOf } from '../../runtime/restaurant-origin.ts';
import { assertMigrated, migrate, startDatabase } from '../database/migrate.ts';
import { type AskOptions, createAsk } from './ask.ts';
import {
  type Command,
  type CommandReport,
  type Context,
  type LoneCommand,
  UsageError,
} from './command.ts';

/** Outside a terminal: one line for so many steps, or for a hundredth of the work if that is more. */
const STEPS_A_LINE = 100;
/** Clears the cursor's line. */
const CLEAR = '\r\u001b[K';

/** Shows on stderr how far a command has come. */
export function createProgress(
  err: (text: string) => void,
  isTerminal: boolean,
): Pick<Context, 'progress' | 'progressOf'> {
  let lines = 0;
  return {
    progress: (line) => err(`${line}\n`),
    progressOf: (what, done, total) => {
      const text = `${what} ${done} of ${total}`;
      if (isTerminal) {
        err(`${CLEAR}${text}${done === total ? '\n' : ''}`);
        return;
      }
      const due = Math.floor(done / Math.max(STEPS_A_LINE, total / 100));
      if (due > lines) err(`${text}\n`);
      lines = due;
    },
  };
}

type AnyCommand = Command | LoneCommand;

interface Group {
  /** The first words of its commands. */
  words: readonly string[];
  load(): Promise<readonly AnyCommand[]>;
}

/** All commands in the order of the list that explains them. A call loads those of its word alone. */
const GROUPS: readonly Group[] = [
  { words: ['tenant'], load: async () => (await import('./tenants.ts')).tenantCommands },
  { words: ['menu'], load: async () => (await import('./menus.ts')).menuCommands },
  { words: ['host'], load: async () => (await import('./tenants.ts')).hostCommands },
  { words: ['chain'], load: async () => (await import('./chains.ts')).chainCommands },
  { words: ['user', 'session'], load: async () => (await import('./users.ts')).userCommands },
  { words: ['token', 'platform'], load: async () => (await import('./tenants.ts')).tokenCommands },
  { words: ['bundle'], load: async () => (await import('./bundles.ts')).bundleCommands },
  {
    words: ['migrate', 'demo', 'doctor', 'events'],
    load: async () => (await import('./upkeep.ts')).upkeepCommands,
  },
];

/** The commands whose names may begin with a word: all of them when none does. */
async function loadCommands(word = ''): Promise<AnyCommand[]> {
  const meant = GROUPS.filter(({ words }) => words.includes(word));
  const groups = meant.length > 0 ? meant : GROUPS;
  return (await Promise.all(groups.map(({ load }) => load()))).flat();
}

/** The command that the first of `args` name, and the rest of them. */
function findCommand(commands: readonly AnyCommand[], args: string[]) {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word)) {
      return { command, rest: args.slice(words.length) };
    }
  }
  return undefined;
}

const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The environment, input and output of a command. */
type Terminal = {
  env: NodeJS.ProcessEnv;
  input: AskOptions['input'];
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether `err` goes to a terminal, on which a line can be written over. */
  isErrTerminal: boolean;
  /** Aborted when the command is to give up; it cleans up all the same. */
  interrupted: AbortSignal;
};

/** Runs the command that `args` name and resolves to the exit code; it never rejects. */
export async function runCommand(args: string[], terminal: Terminal): Promise<ExitCode> {
  try {
    if (args.includes('--help') || args.includes('-h')) {
      terminal.out(await usage(args));
      return exitCodes.done;
    }
    const { text, failed } = await run(args, terminal);
    terminal.out(`${spellOut(text)}\n`);
    return failed ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (terminal.interrupted.aborted) return exitCodes.interrupted;
    terminal.err(`${await explain(error, args)}\n`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

/** Control characters that `JSON.stringify` does not escape: a terminal obeys them. */
const OBEYED = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Escapes control characters: the name of a restaurant may hold some. */
function spellOut(text: string): string {
  const spell = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(OBEYED, spell);
}

function lines({ name, usage, summary }: AnyCommand): string {
  return `  ${`${name} ${usage}`.trim()}\n      ${summary}`;
}

/** How to call the command that `args` name, those that begin like them, or all of them. */
async function usage(args: string[]): Promise<string> {
  const commands = await loadCommands(args[0]);
  const found = findCommand(commands, args);
  const head = ['Usage: npm run -s cli -- <command>', ''];
  if (found) {
    const explanation = found.command.explanation.map((line) => `  ${line}`);
    const space = explanation.length > 0 ? [''] : [];
    return [...head, lines(found.command), ...space, ...explanation, ''].join('\n');
  }
  const meant = commands.filter(({ name }) => name.split(' ')[0] === args[0]);
  const shown = meant.length > 0 ? meant : commands;
  const more = '  <command> --help explains its arguments.';
  return [...head, ...shown.map(lines), '', more, ''].join('\n');
}

async function run(args: string[], terminal: Terminal): Promise<CommandReport> {
  const found = findCommand(await loadCommands(args[0]), args);
  if (found === undefined) throw new UsageError('There is no such command.');
  const { command, rest } = found;
  if ('prepare' in command) return execute(command, command.prepare(rest), terminal);
  return command.runAlone(terminal.env, rest);
}

/** Does the work on the database, which is stopped again if this call started it. */
async function execute(
  command: Command,
  work: (context: Context) => Promise<CommandReport>,
  { env, input, err, isErrTerminal, interrupted }: Terminal,
): Promise<CommandReport> {
  const config = readConfig(env);
  await using reached = await startDatabase(config, { role: 'call', mustExist: !command.mayBegin });
  // The embedded database is ours alone; an operator decides when another one is migrated.
  const migrated = config.databaseUrl === undefined ? await migrate(reached.sessionUrl) : [];
  if (command.name !== 'migrate') await assertMigrated(reached.sessionUrl);
  await using database = await createDatabase(reached.sessionUrl, {
    maxConnections: 4,
    statementTimeout: 60_000,
    connectionTimeout: 10_000,
  });
  const giveUp = () => database.end();
  interrupted.addEventListener('abort', giveUp);
  try {
    interrupted.throwIfAborted();
    const ask = createAsk({ input, say: err, interrupted });
    const progress = createProgress(err, isErrTerminal);
    const { sessionUrl: databaseUrl } = reached;
    const originOf = createOriginOf(config);
    const { domain } = config;
    return await work({ database, databaseUrl, migrated, originOf, domain, ask, ...progress });
  } finally {
    interrupted.removeEventListener('abort', giveUp);
  }
}

async function explain(error: unknown, args: string[]): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\n\n${await usage(args)}`;
  return operatorMessage(error) ?? error.stack ?? error.message;
}
