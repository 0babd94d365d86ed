import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { hashPlatformToken, type PlatformScope, platformScopes } from '../schema/platform.ts';
import { makeTokenPlain } from '../schema/token.ts';
import { scopesInput } from '../schema/token-input.ts';
import { described } from '../schema/validation/described-as.ts';
import { plainNumber, requiredTextInput } from '../schema/validation/input-fields.ts';
import {
  insertPlatformToken,
  type PlatformToken,
  usePlatformToken,
} from '../sql/platform-tokens.ts';

const MAX_DAYS = 3_650;

/** The body that makes a token for a program of operators. */
export const platformTokenInput = v.object({
  name: requiredTextInput(constants.maxTokenNameLength),
  scopes: described(scopesInput(platformScopes), 'What the token may do.'),
  expires_in_days: v.optional(
    described(
      v.nullable(plainNumber(1, MAX_DAYS, true)),
      'After so many days it is valid no more; null: when it is revoked.',
    ),
  ),
});

/** Makes a token; its value is nowhere else. */
export async function createPlatformToken(
  db: Db,
  { name, scopes, expires_in_days: days = null }: v.InferOutput<typeof platformTokenInput>,
): Promise<PlatformToken & { token: string }> {
  const plain = makeTokenPlain();
  const made = await insertPlatformToken(db, {
    ...{ name, scopes, expiresInDays: days, hash: hashPlatformToken(plain) },
  });
  return { ...made, token: `lvp_${made.id}_${plain}` };
}

const TOKEN = /^lvp_([1-9]\d{0,14})_([A-Za-z0-9]{1,64})$/;

/** The scopes of a request's token; null for one that is unknown, revoked or expired. */
export async function findPlatformScopes(
  db: Db,
  token: string,
): Promise<readonly PlatformScope[] | null> {
  const [, id = '', plain = ''] = TOKEN.exec(token) ?? [];
  const found = plain === '' ? null : await usePlatformToken(db, Number(id));
  if (!found || !timingSafeEqual(found.hash, hashPlatformToken(plain))) return null;
  return platformScopes.filter((scope) => found.scopes.includes(scope));
}
