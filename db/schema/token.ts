import { hash, randomInt } from 'node:crypto';
import * as v from 'valibot';

/** The rights that a token can have; fixed at its creation. */
export const scopes = [
  'menu:read',
  'menu:write',
  'availability:write',
  'prices:write',
  'analytics:read',
  'users:write',
  'webhooks:write',
] as const;
export const scopeSchema = v.picklist(scopes);
export type Scope = v.InferOutput<typeof scopeSchema>;

/** Scopes that another one includes. */
const included: Partial<Record<Scope, readonly Scope[]>> = {
  'menu:write': ['availability:write', 'prices:write'],
};

/** Whether a token with these scopes may do what needs `scope`. */
export function grants(granted: readonly Scope[], scope: Scope): boolean {
  return granted.some((one) => one === scope || included[one]?.includes(scope));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 40;

/** A new plain part: 40 characters of base62, 238 random bits. */
export function makeTokenPlain(): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** The stored form of a token's plain part, which is random: a fast hash is safe. */
export function hashTokenPlain(plain: string): Buffer {
  return hash('sha256', plain, 'buffer');
}
