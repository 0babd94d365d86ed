/**
 * An error whose message is one clear sentence for the person at the terminal: what is wrong and
 * what to do. Programs print the message alone, without a stack, and exit 1.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
  /** The remedy, where `doctor` would not know it. */
  readonly advice?: string;

  constructor(message: string, { advice, ...options }: ErrorOptions & { advice?: string } = {}) {
    super(message, options);
    if (advice !== undefined) this.advice = advice;
  }
}

/** An error, or what pg-boss makes of one: a plain object with its fields. */
interface Failure {
  message: string;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

export function isFailure(value: unknown): value is Failure {
  const isOne = typeof value === 'object' && value !== null && 'message' in value;
  return isOne && typeof value.message === 'string';
}

/** A thrown value, which may be anything, as an error. */
export function asError(thrown: unknown): NodeJS.ErrnoException {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The first error of a chain of causes; undefined for a value that is no error. */
export function rootCause(error: unknown): Failure | undefined {
  if (!isFailure(error)) return undefined;
  const deeper = error instanceof AggregateError ? error.errors[0] : error.cause;
  return rootCause(deeper) ?? error;
}
