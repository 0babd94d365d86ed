import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { grants, type Scope, scopes } from './token.ts';
import { described } from './validation/described-as.ts';
import { oneOfRule, rule } from './validation/rule.ts';
import { hasVisibleText, isSafeLine } from './validation/safe-text.ts';

/** The roles of people at a restaurant. */
export const roles = ['owner', 'editor', 'service'] as const;
export const roleSchema = v.picklist(roles);
export type Role = v.InferOutput<typeof roleSchema>;

/** The rights of each role, with the panel or with a token. */
const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  editor: ['menu:read', 'menu:write', 'analytics:read'],
  service: ['availability:write'],
};

/** Whether somebody in this role may do what needs `scope`. */
export function mayDo(role: Role, scope: Scope): boolean {
  return grants(ROLE_SCOPES[role], scope);
}

/**
 * A token's scopes as far as the role of its owner reaches: `menu:write` in the hands of somebody
 * who serves is `availability:write`.
 */
export function scopesWithin(role: Role, granted: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => mayDo(role, scope) && grants(granted, scope));
}

/** A person's name, in the form in which it is stored. */
export const userName = v.pipe(
  v.string('string'),
  v.trim(),
  v.normalize('NFC'),
  v.check(hasVisibleText, 'required'),
  v.maxCodePoints(
    constants.maxPersonNameLength,
    rule('maxLength', { max: constants.maxPersonNameLength }),
  ),
  v.check(isSafeLine, 'invalid'),
);

/** An e-mail address, in the form in which it is stored. */
export const emailAddress = v.pipe(
  v.string('string'),
  v.trim(),
  v.toLowerCase(),
  v.rfcEmail('email'),
  v.maxLength(constants.maxEmailLength, rule('maxLength', { max: constants.maxEmailLength })),
);

/** The parts of a person as bodies of the API have them. */
export const invitationFields = {
  name: described(userName, 'The name of the person.'),
  email: described(emailAddress, 'The address with which the person signs in.'),
  role: described(
    v.picklist(roles, oneOfRule(roles)),
    'owner: everything. editor: what `menu:write` and `analytics:read` allow. service: what is sold out.',
  ),
};

/** The body that invites somebody. */
export const invitationInput = v.object(invitationFields);
