import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../people/password.ts';
import type { Database } from '../../postgres/connection.ts';
import { createPartitions } from '../../sql/events.ts';
import { createUser } from '../../sql/users.ts';
import { daysOfVisits, plantVisits } from './plant-visits.ts';
import { type DemoRestaurant, pizzeria, plantRestaurant, trattoria } from './restaurant.ts';

/** A panel user of a demo restaurant; the password is random and stored nowhere. */
type DemoLogin = { slug: string; email: string; password: string };

/**
 * Plants those of the demo restaurants whose slug is free, each with its menu, its snapshots and a
 * panel user, and returns the users.
 *
 * @param more restaurants besides `trattoria` and `pizzeria`
 * @param now in ms since 1970; the visits of the month before it are planted, too
 */
export async function plantDemo(
  database: Database,
  more: readonly DemoRestaurant[] = [],
  now = Date.now(),
): Promise<DemoLogin[]> {
  const logins: DemoLogin[] = [];
  await createPartitions(database, daysOfVisits(now));
  for (const restaurant of [trattoria, pizzeria, ...more]) {
    const { slug } = restaurant;
    const password = randomBytes(12).toString('base64url');
    const login = { slug, email: `admin@${slug}.example`, password };
    const passwordHash = await hashPassword(password);
    const planted = await database.transaction(async (db) => {
      const tenantId = await plantRestaurant(db, restaurant);
      if (tenantId === null) return false;
      await createUser(db, { tenantId, email: login.email, passwordHash });
      await plantVisits(db, tenantId, restaurant, now);
      return true;
    });
    if (planted) logins.push(login);
  }
  return logins;
}
