import { dictionary } from '@zxcvbn-ts/language-common';
import { OperatorError } from '../../runtime/operator-error.ts';
import type { Ask } from './ask.ts';

/** In characters. */
const MIN_PASSWORD = 8;
/** The longest that fits into the form, whatever its characters. */
const MAX_PASSWORD = 1_000;
const COMMON_PASSWORDS = 1_000;

/** The list is in the order of frequency. */
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common']
    .filter((password) => password.length >= MIN_PASSWORD)
    .slice(0, COMMON_PASSWORDS),
);

/** Why a text cannot be a password, in a sentence; undefined when it can. */
export function passwordTrouble(password: string): string | undefined {
  const { length } = [...password.normalize('NFC')];
  if (length < MIN_PASSWORD) return `The password must have at least ${MIN_PASSWORD} characters.`;
  if (password.length > MAX_PASSWORD) {
    return `The password must have at most ${MAX_PASSWORD} characters.`;
  }
  // Node replaces bytes that are not UTF-8 by this character.
  if (password.includes('\ufffd')) return 'The password must be UTF-8.';
  if (common.has(password.toLowerCase())) {
    return `The password is one of the ${COMMON_PASSWORDS} commonest; choose another one.`;
  }
  return undefined;
}

/** Says in the help of a command how it reads a password. */
export const passwordHelp =
  'The password is asked for, or is the first line of standard input: ' +
  `at least ${MIN_PASSWORD} characters, and not one of the ${COMMON_PASSWORDS} commonest.`;

/**
 * Reads a new password: a person types it twice and does not see it, a program writes it on the first
 * line of standard input.
 *
 * @throws {OperatorError} when there is none or it is not allowed
 */
export function readPassword(ask: Ask): Promise<string> {
  return ask.forSecrets(async (next) => {
    const password = await next('Password: ');
    if (password === null) {
      throw new OperatorError(
        'There is no password: write it on the first line of standard input.',
      );
    }
    const trouble = passwordTrouble(password);
    if (trouble !== undefined) throw new OperatorError(trouble);
    if (ask.isPerson && (await next('The same again: ')) !== password) {
      throw new OperatorError('The two passwords differ; nothing was changed.');
    }
    return password;
  });
}
