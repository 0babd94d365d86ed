import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { isOutage, rootOf, TooManyStatementsError } from '../postgres/outage.ts';
import { createPgClient } from '../postgres/pg-client.ts';
import type { Constants } from './constants.ts';
import { writeOut } from './output.ts';

export interface FaultLogOptions {
  /** Of the process. */
  name: string;
  level: string;
  databaseUrl: string;
  /** Where lines go; stdout by default. */
  destination?: DestinationStream;
  constants: FaultConstants;
}

type FaultConstants = Pick<
  Constants,
  | 'outageProbe'
  | 'outageQuiet'
  | 'faultRepeat'
  | 'maxCountedFaults'
  | 'readConnectionTimeout'
  | 'readStatementTimeout'
>;

/** A fault that has been told, and how often it came again since. */
interface Told {
  args: Parameters<LogFn>;
  method: LogFn;
  repeats: number;
}

const WARN = 40;

async function answers(databaseUrl: string, constants: FaultConstants): Promise<boolean> {
  const { client, close } = createPgClient(databaseUrl, {
    application_name: 'lavagna probe',
    connectionTimeoutMillis: constants.readConnectionTimeout,
    query_timeout: constants.readStatementTimeout,
  });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await close();
  }
}

/**
 * Fields of errors that no log may hold: pg hangs its whole client on some, with what lets others be
 * it, and what Postgres or slonik refuse they repeat, be it a menu's texts or what a guest searched.
 */
const HIDDEN = ['client', 'detail', 'where', 'internalQuery', 'values', 'row', 'issues'];

/** An error as it is logged. */
function shown(error: Error): object {
  const fields = Object.entries(pino.stdSerializers.err(error));
  return Object.fromEntries(fields.filter(([name]) => !HIDDEN.includes(name)));
}

/** Says once that Postgres is away and once that it is back, however many statements fail. */
function createOutageTeller(databaseUrl: string, constants: FaultConstants, log: () => Logger) {
  let since: number | undefined;
  let lastFailure = 0;
  let failures = 0;

  const probeLater = () => {
    setTimeout(() => void probe(), constants.outageProbe).unref();
  };
  const probe = async () => {
    const isBack = await answers(databaseUrl, constants);
    // One that answers and fails all the same is not back.
    if (!isBack || performance.now() - lastFailure < constants.outageQuiet) return probeLater();
    const seconds = Math.round((performance.now() - (since ?? 0)) / 1_000);
    since = undefined;
    log().warn({ seconds, failures }, 'Postgres is back');
  };
  return {
    tell: (error: unknown) => {
      lastFailure = performance.now();
      failures += 1;
      if (since !== undefined) return;
      since = lastFailure;
      failures = 1;
      const { message, code } = rootOf(error) ?? {};
      log().error({ outage: { message, code } }, 'Postgres cannot be reached or takes no work');
      probeLater();
    },
  };
}

/** Tells a fault at once and its repeats later, in one line. */
function createRepeatTeller(constants: FaultConstants) {
  const told = new Map<string, Told>();
  const tellRepeats = (name: string, logger: Logger) => {
    const one = told.get(name);
    if (!one || one.repeats === 0) {
      told.delete(name);
      return;
    }
    const [fields, ...rest] = one.args as unknown as [object, ...unknown[]];
    one.method.apply(logger, [{ ...fields, repeats: one.repeats }, ...rest] as Parameters<LogFn>);
    one.repeats = 0;
    setTimeout(tellRepeats, constants.faultRepeat, name, logger).unref();
  };
  /** Whether the fault is to be told now. */
  return (logger: Logger, name: string, args: Parameters<LogFn>, method: LogFn): boolean => {
    const known = told.get(name);
    if (known) {
      known.repeats += 1;
      return false;
    }
    if (told.size < constants.maxCountedFaults) {
      told.set(name, { args, method, repeats: 0 });
      setTimeout(tellRepeats, constants.faultRepeat, name, logger).unref();
    }
    return true;
  };
}

/**
 * A log in which each fault stands once: warnings and errors whose cause is that Postgres is away
 * become one line when it goes and one when it is back, and any other that comes again within
 * `constants.faultRepeat` is counted in one line at the end of it. `err` is the field for errors.
 */
export function createFaultLog(options: FaultLogOptions): Logger {
  const { name, level, databaseUrl, constants, destination = { write: writeOut } } = options;
  const outage = createOutageTeller(databaseUrl, constants, () => log);
  const isNew = createRepeatTeller(constants);
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (args, method, at) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const error = (fields as { err?: unknown } | null)?.err;
    const root = rootOf(error);
    if (at < WARN || !root) return method.apply(this, args);
    const isAway = isOutage(error) && !(root instanceof TooManyStatementsError);
    if (isAway) return outage.tell(error);
    if (isNew(this, `${message} ${root.message}`, args, method)) method.apply(this, args);
  };
  const settings: LoggerOptions = {
    name,
    level,
    hooks: { logMethod },
    serializers: { err: shown },
  };
  const log = pino(settings, destination);
  return log;
}
