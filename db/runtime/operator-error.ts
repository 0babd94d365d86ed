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
