import { hash, randomInt } from 'node:crypto';

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
