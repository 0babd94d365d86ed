import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveFromCookie, type VisitCookie } from '../visit-cookie.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'sealed token';

/** Seals a new token's value so that only the browser that asked for it can have it opened. */
export function sealValue(cookie: VisitCookie, value: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveFromCookie(cookie, PURPOSE), iv);
  const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Opens what `sealValue` made; throws when the cookie is another one or the bytes have changed. */
export function openValue(cookie: VisitCookie, sealed: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, deriveFromCookie(cookie, PURPOSE), iv);
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const value = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([value, decipher.final()]).toString();
}
