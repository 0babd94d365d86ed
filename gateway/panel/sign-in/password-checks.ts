import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Constants } from '../../../db/runtime/constants.ts';
import { hashPassword, verifyPassword } from '../../../db/schema/password.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import { createClientShares } from '../../http/client-shares.ts';
import { memoizeAsync } from '../../memoize-async.ts';
import { UnavailableError } from '../../pipeline/errors.ts';

/** More people are signing in than can be served in time. */
export class BusyError extends UnavailableError {
  override name = 'BusyError';
}

/**
 * Whether `password` is the one that `stored` was made from. For an unknown user (null) it takes as
 * long and is false.
 */
export type Matches = (stored: string | null, password: string) => Promise<boolean>;

export interface PasswordChecks {
  /**
   * Does the work of one sign-in, which may check a password.
   *
   * @throws BusyError when too many are under way, of this client or of all, before the work begins
   */
  admit<T>(client: ClientAddress, work: (matches: Matches) => Promise<T>): Promise<T>;
}

/**
 * Checks passwords off the event loop, one at a time, a bounded number in a row and with a rest
 * after each: a flood of sign-ins takes a bounded share of the processor from those who read menus. A
 * client has only a few of the places in the row, which all restaurants share.
 */
export function createPasswordChecks(
  constants: Pick<Constants, 'maxSignIns' | 'maxSignInsPerClient' | 'passwordCheckShare'>,
): PasswordChecks {
  const places = createClientShares(constants.maxSignIns, constants.maxSignInsPerClient);
  let last: Promise<unknown> = Promise.resolve();
  // Made with the same cost as every stored one, of a password that nobody has.
  const decoy = memoizeAsync(() => hashPassword(randomBytes(16).toString('hex')));

  /** How long there must be no check after one that took `busy`, in milliseconds like it. */
  const restAfter = (busy: number) => busy / constants.passwordCheckShare - busy;

  const check: Matches = async (stored, password) => {
    const other = await decoy();
    return (await verifyPassword(stored ?? other, password)) && stored !== null;
  };
  const matches: Matches = (stored, password) => {
    let begun = 0;
    const result = last.then(() => {
      begun = performance.now();
      return check(stored, password);
    });
    // One that fails is its caller's concern; the next one goes on.
    const rest = () => sleep(restAfter(performance.now() - begun), undefined, { ref: false });
    last = result.then(rest, rest);
    return result;
  };

  return {
    admit: async (client, work) => {
      if (!places.take(client, 1)) throw new BusyError('too many people are signing in');
      try {
        return await work(matches);
      } finally {
        places.give(client, 1);
      }
    },
  };
}
