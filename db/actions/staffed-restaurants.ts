import type { OriginOf } from '../runtime/restaurant-origin.ts';
import type { StaffedRestaurant } from '../schema/platform.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';
import {
  inOneTransaction,
  type Joinable,
  type Once,
  perform,
  performForOperator,
} from './action.ts';
import { createRestaurant } from './restaurants.ts';
import { createToken, type NewToken } from './tokens.ts';
import { invite, linkAddress } from './users.ts';

// Operators make many restaurants at once, each with its first user and a token.

interface Making {
  database: Joinable;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
}

interface MadeRestaurant {
  slug: string;
  id: number;
  name: string;
  panel: string;
  /** With the link to join, valid once and for seven days. */
  user: { id: number; email: string; role: string; link: string } | null;
  token: (NewToken & { scopes: readonly string[] }) | null;
}

/** The result for one of many restaurants. */
type StaffedOutcome =
  | ({ outcome: 'created' } & MadeRestaurant)
  | { outcome: 'failed'; slug: string; errors: FieldErrors };

/** Makes a restaurant with what it begins with, in one transaction. @throws InvalidError */
function makeStaffed(place: Making, asked: StaffedRestaurant): Promise<MadeRestaurant> {
  const { originOf, domain } = place;
  const { user, token, ...restaurant } = asked;
  const { slug, name } = restaurant;
  return inOneTransaction(place.database, async (database) => {
    const id = await createRestaurant(database, restaurant);
    const actor = { kind: 'operator', name: null } as const;
    const context = { database, tenantId: id, slug, domain, actor, now: Date.now() };
    const origin = originOf({ slug, host: null });
    const made: MadeRestaurant = {
      slug,
      id,
      name,
      panel: `${origin}/admin`,
      user: null,
      token: null,
    };
    if (!user) return made;
    const invited = await perform(invite, context, { ...user, name: user.name ?? '' });
    const { secret, email, role, id: userId } = invited.result;
    made.user = { id: userId, email, role, link: linkAddress(origin, secret) };
    if (!token) return made;
    const { result } = await perform(createToken, context, { ...token, user: email });
    made.token = { ...result, scopes: token.scopes };
    return made;
  });
}

/**
 * Makes restaurants one after the other, each in a transaction of its own: one that is refused is in no
 * other's way. A request that is repeated under its key gets what it made before, and goes on behind it.
 */
export async function makeStaffedRestaurants(
  place: Making,
  restaurants: readonly StaffedRestaurant[],
  once: Once | null = null,
  onDone: (done: number) => void = () => undefined,
): Promise<StaffedOutcome[]> {
  const outcomes: StaffedOutcome[] = [];
  for (const [index, asked] of restaurants.entries()) {
    const own = once && { ...once, key: `${once.key}/${index}` };
    const made = performForOperator(place.database, own, (database) =>
      makeStaffed({ ...place, database }, asked),
    );
    outcomes.push(
      await made.then(
        (one) => ({ outcome: 'created' as const, ...one }),
        (error) => {
          if (!(error instanceof InvalidError)) throw error;
          return { outcome: 'failed' as const, slug: asked.slug, errors: error.errors };
        },
      ),
    );
    onDone(outcomes.length);
  }
  return outcomes;
}
