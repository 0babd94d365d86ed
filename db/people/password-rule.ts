/** In characters. */
export const MIN_PASSWORD = 8;
/** The longest that fits into the form, whatever its characters. */
export const MAX_PASSWORD = 1_000;
export const COMMON_PASSWORDS = 1_000;

/** Why a text cannot be a password. */
export type PasswordTrouble = 'short' | 'long' | 'unreadable' | 'common';

let common: Promise<ReadonlySet<string>> | undefined;

/** The list takes memory, and most processes never need it. It is in the order of frequency. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD);
  return new Set(long.slice(0, COMMON_PASSWORDS));
}

/** Why a text cannot be a password; undefined when it can. */
export async function passwordTrouble(password: string): Promise<PasswordTrouble | undefined> {
  const { length } = [...password.normalize('NFC')];
  if (length < MIN_PASSWORD) return 'short';
  if (password.length > MAX_PASSWORD) return 'long';
  // Node replaces bytes that are not UTF-8 by this character.
  if (password.includes('\ufffd')) return 'unreadable';
  common ??= readCommon();
  return (await common).has(password.toLowerCase()) ? 'common' : undefined;
}
