// The operators' CLI: one JSON document on stdout, everything else on stderr.
import { type Config, readConfig } from '../config.ts';
import { createDatabase, type Database } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { OperatorError } from '../operator-error.ts';
import { reachDatabase } from '../start/reach-database.ts';
import { stopOnSignal } from '../stop-signals.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { demo } from './demo.ts';
import { migrateDatabase } from './migrate.ts';
import { tenantCreate } from './tenant-create.ts';
import { tenantList } from './tenant-list.ts';
import { tokenCreate } from './token-create.ts';
import { tokenRevoke } from './token-revoke.ts';
import { userCreate } from './user-create.ts';
import { userDelete } from './user-delete.ts';

const commands: Command[] = [
  ...[tenantCreate, tenantList],
  ...[userCreate, userDelete],
  ...[tokenCreate, tokenRevoke],
  ...[migrateDatabase, demo],
];

const usageExitCode = 2;
const interruptedExitCode = 130;

type Found = { command: Command; rest: string[] } | undefined;

/** How to call the command that was found, or without one, all of them. */
function usage(found: Found): string {
  const lines = (found ? [found.command] : commands).map((command) => {
    return `  ${`${command.name} ${command.usage}`.trim()}\n      ${command.summary}`;
  });
  return ['Usage: npm run -s cli -- <command>', '', ...lines, ''].join('\n');
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

/** Does the command's work on the database, which is stopped again if this call started it. */
async function execute(
  config: Config,
  work: (context: Context) => Promise<unknown>,
): Promise<unknown> {
  let database: Database | undefined;
  let interrupted = false;
  stopOnSignal(async () => {
    interrupted = true;
    process.exitCode = interruptedExitCode;
    await database?.end();
  });
  const reached = await reachDatabase(config, 'call');
  try {
    // The embedded database is ours alone; an operator decides when another one is migrated.
    const migrated = config.databaseUrl === undefined ? await migrate(reached.url) : [];
    database = await createDatabase(reached.url, {
      maxConnections: 4,
      statementTimeout: 60_000,
      connectionTimeout: 10_000,
    });
    if (interrupted) throw new Error('interrupted before the work began');
    const progress = (line: string) => console.error(line);
    return await work({ database, databaseUrl: reached.url, migrated, progress });
  } catch (error) {
    if (interrupted) throw new OperatorError('Interrupted.', { cause: error });
    throw error;
  } finally {
    await database?.end();
    await reached.stop();
  }
}

async function main(args: string[]): Promise<void> {
  const found = findCommand(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage(found));
    return;
  }
  if (found === undefined) throw new UsageError('There is no such command.');
  const result = await execute(readConfig(process.env), found.command.prepare(found.rest));
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

const undefinedTable = '42P01';

function isUnmigrated(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: string }).code === undefinedTable || isUnmigrated(error.cause);
}

function report(error: unknown, args: string[]): void {
  process.exitCode ??= error instanceof UsageError ? usageExitCode : 1;
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage(findCommand(args))}`);
  } else if (error instanceof OperatorError) {
    console.error(error.message);
  } else if (isUnmigrated(error)) {
    console.error('The database has not been migrated; run the command migrate first.');
  } else {
    console.error(error);
  }
}

const args = process.argv.slice(2);
await main(args).catch((error: unknown) => report(error, args));
