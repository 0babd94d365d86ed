/** An error, or what pg-boss makes of one: a plain object with its fields. */
export interface Failure {
  message: string;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

export function isFailure(value: unknown): value is Failure {
  const { message } = (value ?? {}) as { message?: unknown };
  return typeof message === 'string';
}

/** The first error of a chain of causes; undefined for a value that is no error. */
export function rootCause(error: unknown): Failure | undefined {
  if (!isFailure(error)) return undefined;
  const deeper = error instanceof AggregateError ? error.errors[0] : error.cause;
  return rootCause(deeper) ?? error;
}
