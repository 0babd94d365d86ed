import { randomBytes } from 'node:crypto';
import type { Database } from '../../postgres/connection.ts';
import { hashPassword } from '../../schema/password.ts';
import { createUser } from '../../sql/users.ts';
import { pizzeria, trattoria } from './menus.ts';
import { plantRestaurant } from './plant-restaurant.ts';
import type { DemoRestaurant } from './restaurant.ts';

/** A panel user of a demo restaurant; the password is random and stored nowhere. */
export type DemoLogin = { slug: string; email: string; password: string };

/**
 * Plants those of the demo restaurants whose slug is free, each with its menu, its snapshots and a
 * panel user, and returns the users.
 *
 * @param more restaurants besides `trattoria` and `pizzeria`
 */
export async function plantDemo(
  database: Database,
  more: readonly DemoRestaurant[] = [],
): Promise<DemoLogin[]> {
  const logins: DemoLogin[] = [];
  for (const restaurant of [trattoria, pizzeria, ...more]) {
    const { slug } = restaurant;
    const password = randomBytes(12).toString('base64url');
    const login = { slug, email: `admin@${slug}.example`, password };
    const passwordHash = await hashPassword(password);
    const planted = await database.transaction(async (db) => {
      const tenantId = await plantRestaurant(db, restaurant);
      if (tenantId === null) return false;
      await createUser(db, { tenantId, email: login.email, passwordHash });
      return true;
    });
    if (planted) logins.push(login);
  }
  return logins;
}
