import type { Database } from '../../db/connection.ts';
import { hashPassword } from '../../db/password.ts';
import { createUser } from '../../db/queries/create-user.ts';

/** Whoever signs in to the panel in our tests. */
export const EMAIL = 'iole@trattoria.example';
export const PASSWORD = 'pane, burro e alici';

/** Gives a restaurant a panel user, and returns the user's id. */
export async function addUser(db: Database, tenantId: number, email = EMAIL): Promise<number> {
  const id = await createUser(db, { tenantId, email, passwordHash: await hashPassword(PASSWORD) });
  if (id === null) throw new Error(`${email} is there already`);
  return id;
}
