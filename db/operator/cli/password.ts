import {
  COMMON_PASSWORDS,
  MAX_PASSWORD,
  MIN_PASSWORD,
  type PasswordTrouble,
  passwordTrouble,
} from '../../people/password-rule.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import type { Ask } from './ask.ts';

const TROUBLES: Record<PasswordTrouble, string> = {
  short: `The password must have at least ${MIN_PASSWORD} characters.`,
  long: `The password must have at most ${MAX_PASSWORD} characters.`,
  unreadable: 'The password must be UTF-8.',
  common: `The password is one of the ${COMMON_PASSWORDS} commonest; choose another one.`,
};

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
    const trouble = await passwordTrouble(password);
    if (trouble !== undefined) throw new OperatorError(TROUBLES[trouble]);
    if (ask.isPerson && (await next('The same again: ')) !== password) {
      throw new OperatorError('The two passwords differ; nothing was changed.');
    }
    return password;
  });
}
