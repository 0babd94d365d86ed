import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { scopes } from './token.ts';
import { emailAddress } from './user.ts';
import { described } from './validation/described-as.ts';
import { oneOfInput, requiredTextInput } from './validation/input-fields.ts';

/** Some of all scopes, each once and at least one, in their order. */
export function scopesInput<const T extends readonly string[]>(all: T) {
  return v.pipe(
    v.array(oneOfInput(all), 'array'),
    v.minLength(1, 'required'),
    v.transform((given): T[number][] => all.filter((one) => given.includes(one))),
  );
}

/** The body that makes a token. */
export const tokenInput = v.object({
  user: described(emailAddress, 'The address with which the user signs in.'),
  name: requiredTextInput(constants.maxTokenNameLength),
  scopes: scopesInput(scopes),
});
