import { constants } from '../runtime/constants.ts';
import { tokenInput } from '../schema/token-input.ts';
import { mayDo } from '../schema/user.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import { insertToken } from '../sql/tokens.ts';
import { findUser, lockUsers } from '../sql/users.ts';
import { MissingError, type RestaurantAction } from './action.ts';

/** A token as it is made. Its value, `<id>|<plain>`, is nowhere else. */
export interface NewToken {
  id: number;
  name: string;
  token: string;
}

/** Makes a token of a user. */
export const createToken: RestaurantAction<typeof tokenInput, NewToken> = {
  input: tokenInput,
  work: async (db, { tenantId, slug }, { user: email, name, scopes }) => {
    await lockUsers(db, tenantId);
    const user = await findUser(db, tenantId, email);
    if (!user) throw new MissingError(`The tenant ${slug} has no user ${email}.`);
    const beyond = scopes.filter((scope) => !mayDo(user.role, scope));
    if (beyond.length > 0) {
      const text = `${email} is ${user.role} and may not have a token with ${beyond.join(', ')}.`;
      throw new InvalidError({ scopes: [broken('invalid')] }, text);
    }
    const made = await insertToken(db, { tenantId, userId: user.id, name, scopes });
    if (made) return { ...made, name };
    const max = constants.maxActiveTokens;
    const full = `The tenant ${slug} has ${max} active tokens already`;
    const text = `${full}: revoke one that is not needed any more.`;
    throw new InvalidError({ tokens: [broken('maxItems', { max })] }, text);
  },
};
