import { hash } from 'node:crypto';
import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { slugInput } from './host.ts';
import { MAX_RESTAURANT_NAME } from './settings.ts';
import { tokenInput } from './token-input.ts';
import { emailAddress, roles } from './user.ts';
import { described } from './validation/described-as.ts';
import {
  languageRule,
  oneOfInput,
  plainNumber,
  requiredTextInput,
} from './validation/input-fields.ts';
import { ALL_LOCALES } from './values/locale.ts';

/** The rights of an operator's token. */
export const platformScopes = [
  'restaurants:read',
  'restaurants:write',
  'restaurants:delete',
  'access:write',
  'platform:write',
] as const;
export type PlatformScope = (typeof platformScopes)[number];

/** The stored form of the random part of an operator's token. */
export const hashPlatformToken = (plain: string): Buffer => hash('sha256', plain, 'buffer');

/** Bounds of a restaurant. */
export const quotaNames = ['max_dishes', 'max_photos_mb', 'max_users'] as const;
export type Quotas = Partial<Record<(typeof quotaNames)[number], number | null | undefined>>;

function quota(max: number, description: string) {
  const whole = v.nullable(plainNumber(1, max, true));
  return v.optional(described(whole, `${description} null: no quota.`));
}

/** The quotas of a body; null takes one away. */
export const quotaFields = {
  max_dishes: quota(1_000_000, 'Dishes of its menu.'),
  max_photos_mb: quota(100_000, 'MiB of its photos; `PHOTOS_MB` where that is less.'),
  max_users: quota(constants.maxUsers, 'People of its panel, those who are invited included.'),
};

const email = described(emailAddress, 'The address with which the user signs in.');

const userFields = {
  email,
  name: v.optional(requiredTextInput(constants.maxPersonNameLength)),
  role: v.optional(oneOfInput(roles), 'owner'),
};
/** The body that invites somebody for an operator. */
export const platformUser = v.object(userFields);
const { name: tokenName, scopes: tokenScopes } = tokenInput.entries;

const restaurantFields = {
  slug: slugInput,
  name: requiredTextInput(MAX_RESTAURANT_NAME),
  locale: v.optional(oneOfInput(ALL_LOCALES, languageRule), 'it'),
  ...quotaFields,
};

/** The body that makes a restaurant. */
export const newRestaurant = v.object(restaurantFields);

/** A restaurant of many, with its first user and a token of that user. */
export const staffedRestaurant = v.pipe(
  v.object(
    {
      ...restaurantFields,
      user: v.optional(v.object(userFields, 'object')),
      token: v.optional(v.object({ name: tokenName, scopes: tokenScopes }, 'object')),
    },
    'object',
  ),
  v.forward(
    v.check(({ user, token }) => !token || user !== undefined, 'required'),
    ['user'],
  ),
);
export type StaffedRestaurant = v.InferOutput<typeof staffedRestaurant>;
