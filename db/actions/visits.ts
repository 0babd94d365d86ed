import * as v from 'valibot';
import { requiredTextInput } from '../schema/validation/input-fields.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import { findUser, lockUsers, logUserAction, saveLink, takeLink, type User } from '../sql/users.ts';
import { findBranchId, findVisitor, saveVisitor } from '../sql/visitors.ts';
import type { ActorContext, RestaurantAction } from './action.ts';
import { hashLinkSecret, hashSecret, newLinkSecret } from './users.ts';

// Owners of a chain's master open the panels of its branches.

/** How long such a link is valid, in ms. */
const VISIT_LINK_TTL = 60_000;

const visitInput = v.object({ house: requiredTextInput(63) });

/** A link to a house, for the person who asked for it. */
export interface VisitLink {
  slug: string;
  secret: string;
}

/**
 * Makes the link by which an owner of the master opens a branch: valid once, for `VISIT_LINK_TTL`, at
 * that branch alone. A former one of the same person is valid no more.
 */
export const openHouse: RestaurantAction<typeof visitInput, VisitLink> = {
  input: visitInput,
  work: async (db, { tenantId, actor }, { house }) => {
    const email = actor.kind === 'user' ? actor.name : null;
    const user = email === null ? null : await findUser(db, tenantId, email);
    const id = await findBranchId(db, tenantId, house);
    if (user?.role !== 'owner' || id === null) {
      throw new InvalidError({ house: [broken('invalid')] });
    }
    const userId = await saveVisitor(db, id, tenantId, user);
    if (userId === null) throw new InvalidError({ house: [broken('unique')] });
    const secret = newLinkSecret();
    const purpose = { kind: 'visit', email: null } as const;
    const validity = VISIT_LINK_TTL;
    await saveLink(db, { ...purpose, tenantId: id, userId, hash: hashSecret(secret), validity });
    return { slug: house, secret };
  },
};

/**
 * Uses the link of a visitor, for the only time.
 *
 * @returns the visitor, who may begin a session; null when the link is not valid
 */
export function useVisitLink(
  { database, tenantId }: Pick<ActorContext, 'database' | 'tenantId'>,
  secret: string,
): Promise<User | null> {
  return database.transaction(async (db) => {
    await lockUsers(db, tenantId);
    const hash = hashLinkSecret(secret);
    const link = hash && (await takeLink(db, tenantId, hash, 'visit'));
    const user = link && (await findVisitor(db, tenantId, link.user_id));
    if (!user) return null;
    const actor = { kind: 'user', name: user.email } as const;
    await logUserAction(db, tenantId, actor, { action: 'visited', subject: user.email });
    return user;
  });
}
