import { hash, verify } from '@node-rs/argon2';

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
