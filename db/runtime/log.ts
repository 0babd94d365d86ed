import {
  type DestinationStream,
  type LogFn,
  type Logger,
  type LoggerOptions,
  pino,
  type SerializedError,
} from 'pino';
import type { Constants } from './constants.ts';
import { rootCause } from './operator-error.ts';
import { writeOut } from './output.ts';

/** Different faults that are counted; others are logged each time. */
const MAX_COUNTED_FAULTS = 1_000;
/**
 * Pause between two probes during an outage of Postgres, in ms. The outage is over when a probe
 * succeeds and no statement has failed for the second time; refused clients return sooner.
 */
const OUTAGE_PROBE = 500;
const OUTAGE_QUIET_TIME = 5_000;

/** How the log recognises an outage of what the process depends on. */
export interface OutageWatch {
  /** Names it in the log. */
  name: string;
  /** Whether the outage is the cause of the error. */
  includes(error: unknown): boolean;
  /** Whether it is there, and more is asked of it at once than this process lets through. */
  isBusy(error: unknown): boolean;
  isOver(): Promise<boolean>;
}

type LogConstants = Pick<Constants, 'faultRepeatInterval'>;

interface LogOptions {
  /** Of the process. */
  name: string;
  level: string;
  outages: OutageWatch;
  /** Where lines go; stdout by default. */
  destination?: DestinationStream;
  constants: LogConstants;
}

/** A fault that was logged, and how often it came again since. */
interface Logged {
  args: Parameters<LogFn>;
  method: LogFn;
  repeats: number;
}

const WARN = 40;
/** Under this name all that was refused for lack of room is one fault. */
const BUSY = 'busy';

/**
 * Fields of errors that are logged. Others may hold secrets: pg puts its client with the password on
 * some errors, and libraries repeat the input that they refused, such as an address or a row.
 */
const LOGGED = [
  ...['type', 'message', 'stack', 'code', 'errno', 'syscall', 'address', 'port', 'hint'],
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'],
];

function onlyLogged({ aggregateErrors, ...fields }: Partial<SerializedError>): object {
  const logged = Object.entries(fields).filter(([name]) => LOGGED.includes(name));
  return {
    ...Object.fromEntries(logged),
    ...(aggregateErrors && { aggregateErrors: aggregateErrors.map(onlyLogged) }),
  };
}

/** How the log writes what is in its fields. */
export const logSerializers = {
  err: (error: Error) => onlyLogged(pino.stdSerializers.err(error)),
};

/** Logs the begin and the end of an outage, and nothing for the errors between them. */
function createOutageReport(outages: OutageWatch, log: () => Logger) {
  let since: number | undefined;
  let lastFailure = 0;
  let failures = 0;

  const probeLater = () => {
    setTimeout(() => void probe(), OUTAGE_PROBE).unref();
  };
  const probe = async () => {
    const isOver = await outages.isOver();
    // It may answer the probe and fail other statements.
    if (!isOver || performance.now() - lastFailure < OUTAGE_QUIET_TIME) return probeLater();
    const seconds = Math.round((performance.now() - (since ?? 0)) / 1_000);
    since = undefined;
    log().warn({ seconds, failures }, `${outages.name} is back`);
  };
  return (error: unknown) => {
    lastFailure = performance.now();
    failures += 1;
    if (since !== undefined) return;
    since = lastFailure;
    failures = 1;
    const { message, code } = rootCause(error) ?? {};
    log().error(
      { outage: { message, code } },
      `${outages.name} cannot be reached or takes no work`,
    );
    probeLater();
  };
}

/** Tells which faults are new, and logs the repeats of the others later, in one line. */
function createRepeatReport(constants: LogConstants) {
  const logged = new Map<string, Logged>();
  const logRepeats = (name: string, logger: Logger) => {
    const fault = logged.get(name);
    if (!fault || fault.repeats === 0) {
      logged.delete(name);
      return;
    }
    const [fields, ...rest] = fault.args as unknown as [object, ...unknown[]];
    fault.method.apply(logger, [
      { ...fields, repeats: fault.repeats },
      ...rest,
    ] as Parameters<LogFn>);
    fault.repeats = 0;
    setTimeout(logRepeats, constants.faultRepeatInterval, name, logger).unref();
  };
  return (logger: Logger, name: string, args: Parameters<LogFn>, method: LogFn): boolean => {
    const known = logged.get(name);
    if (known) {
      known.repeats += 1;
      return false;
    }
    if (logged.size < MAX_COUNTED_FAULTS) {
      logged.set(name, { args, method, repeats: 0 });
      setTimeout(logRepeats, constants.faultRepeatInterval, name, logger).unref();
    }
    return true;
  };
}

/**
 * A log that does not repeat itself. Warnings and errors that an outage causes become one line at
 * its begin and one at its end. Repeats of any other are counted in one line after
 * `faultRepeatInterval`; statements that were refused because too many wait are warnings, and count
 * as one fault. The field `err` holds the error.
 */
export function createLog(options: LogOptions): Logger {
  const { name, level, outages, constants, destination = { write: writeOut } } = options;
  const reportOutage = createOutageReport(outages, () => log);
  const isNew = createRepeatReport(constants);
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (args, method, at) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const error = (fields as { err?: unknown } | null)?.err;
    const root = rootCause(error);
    if (at < WARN || !root) return method.apply(this, args);
    if (outages.includes(error)) return reportOutage(error);
    const isBusy = outages.isBusy(error);
    // A crowd is no fault of ours. It comes here again as a warning.
    if (isBusy && at > WARN) return this.warn(...(args as Parameters<LogFn>));
    const name = isBusy ? BUSY : `${message} ${root.message}`;
    if (isNew(this, name, args, method)) method.apply(this, args);
  };
  const settings: LoggerOptions = {
    name,
    level,
    hooks: { logMethod },
    serializers: logSerializers,
  };
  const log = pino(settings, destination);
  return log;
}
