import { hash, verify } from '@node-rs/argon2';
import { once } from '../runtime/memoize.ts';

/** In characters. */
export const MIN_PASSWORD = 8;
/** The longest that fits into the form, whatever its characters. */
export const MAX_PASSWORD = 1_000;
export const COMMON_PASSWORDS = 1_000;

/** Why a text cannot be a password. */
export type PasswordTrouble = 'short' | 'long' | 'unreadable' | 'common';

/** The list takes memory, and most processes never need it. It is in the order of frequency. */
const commonPasswords = once(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD);
  return new Set(long.slice(0, COMMON_PASSWORDS));
});

/** Why a text cannot be a password; undefined when it can. */
export async function passwordTrouble(password: string): Promise<PasswordTrouble | undefined> {
  const { length } = [...password.normalize('NFC')];
  if (length < MIN_PASSWORD) return 'short';
  if (password.length > MAX_PASSWORD) return 'long';
  // Node replaces bytes that are not UTF-8 by this character.
  if (password.includes('\ufffd')) return 'unreadable';
  return (await commonPasswords()).has(password.toLowerCase()) ? 'common' : undefined;
}

/** Argon2id with the cost that OWASP recommends; memory is in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Keyboards write an accent with its letter or behind it: a password is the same in both forms. */
const inOneForm = (password: string) => password.normalize('NFC');

/** The form in which a password is stored. */
export function hashPassword(password: string): Promise<string> {
  return hash(inOneForm(password), cost);
}

/** Whether `password` is the one that `stored` was made from. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const known = inOneForm(password);
  if (await verify(stored, known)) return true;
  // The first passwords were hashed as they were typed.
  return known !== password && verify(stored, password);
}
