import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** The secret of a new link; only its hash is stored. */
export function newLinkSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored form of a link's secret, which is random: a fast hash is safe. Null for other texts. */
export function hashLinkSecret(secret: string): Buffer | null {
  return SECRET.test(secret) ? hash('sha256', secret, 'buffer') : null;
}

/** Where a link leads. @param origin of the restaurant, such as `https://osteria.example.com` */
export function linkAddress(origin: string, secret: string): string {
  return `${origin}/admin/link/${secret}`;
}
