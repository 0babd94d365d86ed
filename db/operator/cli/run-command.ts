import { assertMigrated, migrate } from '../../migrations/migrate.ts';
import { createDatabase } from '../../postgres/connection.ts';
import { readConfig } from '../../runtime/config.ts';
import { operatorMessage } from '../../runtime/operator-message.ts';
import { reachDatabase } from '../start/reach-database.ts';
import { type Command, type Context, type LoneCommand, UsageError } from './command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { eventsRedrive } from './events-redrive.ts';
import { migrateDatabase } from './migrate.ts';
import { tenantCreate } from './tenant-create.ts';
import { tenantList } from './tenant-list.ts';
import { tokenCreate } from './token-create.ts';
import { tokenRevoke } from './token-revoke.ts';
import { userCreate } from './user-create.ts';
import { userDelete } from './user-delete.ts';
import { userPassword } from './user-password.ts';

const commands: (Command | LoneCommand)[] = [
  ...[tenantCreate, tenantList],
  ...[userCreate, userPassword, userDelete],
  ...[tokenCreate, tokenRevoke],
  ...[migrateDatabase, demo, doctor, eventsRedrive],
];

const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Where a command gets its environment from and puts its words. */
export type Terminal = {
  env: NodeJS.ProcessEnv;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Aborted when the command is to give up; it cleans up all the same. */
  interrupted: AbortSignal;
};

type Found = { command: Command | LoneCommand; rest: string[] } | undefined;

/** Runs the command that `args` name and resolves to the exit code; it never rejects. */
export async function runCommand(args: string[], terminal: Terminal): Promise<ExitCode> {
  const found = findCommand(args);
  try {
    if (args.includes('--help') || args.includes('-h')) {
      terminal.out(usage(found));
      return exitCodes.done;
    }
    if (found === undefined) throw new UsageError('There is no such command.');
    const { result, failed } = await run(found, terminal);
    terminal.out(`${print(result)}\n`);
    return failed ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (terminal.interrupted.aborted) return exitCodes.interrupted;
    terminal.err(`${explain(error, found)}\n`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

/** What terminals obey instead of showing it, and `JSON.stringify` leaves as it is. */
const OBEYED = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** JSON that does to a terminal nothing but stand there, whatever names restaurants have. */
function print(result: unknown): string {
  const spell = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(result, null, 2).replace(OBEYED, spell);
}

function findCommand(args: string[]): Found {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word)) {
      return { command, rest: args.slice(words.length) };
    }
  }
  return undefined;
}

/** How to call the command that was found, or without one, all of them. */
function usage(found: Found): string {
  const lines = (found ? [found.command] : commands).map((command) => {
    return `  ${`${command.name} ${command.usage}`.trim()}\n      ${command.summary}`;
  });
  return ['Usage: npm run -s cli -- <command>', '', ...lines, ''].join('\n');
}

async function run(
  { command, rest }: NonNullable<Found>,
  terminal: Terminal,
): Promise<{ result: unknown; failed: boolean }> {
  if ('prepare' in command) {
    const result = await execute(command, command.prepare(rest), terminal);
    return { result, failed: false };
  }
  const [surplus] = rest;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
  return command.runAlone(terminal.env);
}

/** Does the work on the database, which is stopped again if this call started it. */
async function execute(
  command: Command,
  work: (context: Context) => Promise<unknown>,
  { env, err, interrupted }: Terminal,
): Promise<unknown> {
  const config = readConfig(env);
  const reached = await reachDatabase(config, 'call');
  try {
    // The embedded database is ours alone; an operator decides when another one is migrated.
    const migrated = config.databaseUrl === undefined ? await migrate(reached.url) : [];
    if (command !== migrateDatabase) await assertMigrated(reached.url);
    const database = await createDatabase(reached.url, {
      maxConnections: 4,
      statementTimeout: 60_000,
      connectionTimeout: 10_000,
    });
    const giveUp = () => database.end();
    interrupted.addEventListener('abort', giveUp);
    try {
      interrupted.throwIfAborted();
      const progress = (line: string) => err(`${line}\n`);
      return await work({ database, databaseUrl: reached.url, migrated, progress });
    } finally {
      interrupted.removeEventListener('abort', giveUp);
      await database.end();
    }
  } finally {
    await reached.stop();
  }
}

function explain(error: unknown, found: Found): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\n\n${usage(found)}`;
  return operatorMessage(error) ?? error.stack ?? error.message;
}
