import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the cost that OWASP recommends; memory is in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The form in which a password is stored. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Whether `password` is the one that `stored` was made from. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password);
}
