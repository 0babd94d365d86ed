import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword, verifyPassword } from '../../db/actions/password.ts';
import { constants } from '../../db/runtime/constants.ts';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import { type ClientAddress, type ClientNetwork, clientSite } from '../http/client-address.ts';
import { UnavailableError } from '../http/errors.ts';
import { createShares } from '../http/shares.ts';

/** Share of one processor that the checks of passwords take on average. */
const PASSWORD_CHECK_SHARE = 1 / 3;

/** More people are signing in than can be served in time. */
export class BusyError extends UnavailableError {}

/**
 * Whether `password` is the one that `stored` was made from. For an unknown user (null) it takes as
 * long and is false.
 */
export type Matches = (stored: string | null, password: string) => Promise<boolean>;

export type PasswordChecks = ReturnType<typeof createPasswordChecks>;

/**
 * Checks passwords off the event loop, one at a time, a bounded number in a row and with a rest
 * after each: a flood of sign-ins takes a bounded share of the processor from those who read menus. A
 * client has only a few of the places in the row, and so has a restaurant: a flood from one IPv6 site
 * (/48), or at one restaurant, leaves the others their places.
 */
export function createPasswordChecks() {
  const { maxSignIns, maxSignInsPerClient, maxSignInsPerRestaurant } = constants;
  const byClient = createShares<ClientNetwork>(maxSignIns, maxSignInsPerClient);
  const byRestaurant = createShares<number>(maxSignIns, maxSignInsPerRestaurant);
  let last: Promise<unknown> = Promise.resolve();
  // Made with the same cost as every stored one, of a password that no user has.
  const decoy = memoizeAsync(() => hashPassword(randomBytes(16).toString('hex')));

  /** How long there must be no check after one that took `busy`, in milliseconds like it. */
  const restAfter = (busy: number) => busy / PASSWORD_CHECK_SHARE - busy;

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
    /**
     * Does the work of one sign-in, which may check a password.
     *
     * @throws BusyError before the work begins when too many are under way: of this client, at this
     *   restaurant, or of all
     */
    admit: async <T>(
      tenantId: number,
      client: ClientAddress,
      work: (matches: Matches) => Promise<T>,
    ): Promise<T> => {
      const site = clientSite(client);
      if (!byClient.take(site, 1)) throw new BusyError('too many people are signing in');
      try {
        if (!byRestaurant.take(tenantId, 1)) throw new BusyError('too many people are signing in');
        try {
          return await work(matches);
        } finally {
          byRestaurant.give(tenantId, 1);
        }
      } finally {
        byClient.give(site, 1);
      }
    },
  };
}
