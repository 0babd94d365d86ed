import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { scopes } from './token.ts';
import { emailAddress } from './user.ts';
import { described } from './validation/described-as.ts';
import { oneOfInput, requiredTextInput } from './validation/input-fields.ts';

/** The body that makes a token. */
export const tokenInput = v.object({
  user: described(emailAddress, 'The address with which the user signs in.'),
  name: requiredTextInput(constants.maxTokenNameLength),
  scopes: v.pipe(
    v.array(oneOfInput(scopes), 'array'),
    v.minLength(1, 'required'),
    v.transform((given) => scopes.filter((one) => given.includes(one))),
  ),
});
