import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { MINISIGN_KEY_BYTES } from './verify.js';

// Keys and signatures of bundles. A public key is written as minisign writes it, so that people can
// check a bundle with that program alone.

/** Stand before the 32 bytes of a secret key of Ed25519 in PKCS #8 (RFC 8410). */
const SECRET_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
/** minisign's names of a signature over the bytes themselves, and of one over their digest. */
const PLAIN = 'Ed';
const HASHED = 'ED';

export const makeBundleSecret = () => randomBytes(KEY_BYTES);

const secretKey = (secret: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([SECRET_HEAD, secret]), format: 'der', type: 'pkcs8' });

function rawPublicKey(secret: Buffer): Buffer {
  const der = createPublicKey(secretKey(secret)).export({ format: 'der', type: 'spki' });
  return der.subarray(-KEY_BYTES);
}

const idOf = (publicKey: Buffer) =>
  createHash('sha256').update(publicKey).digest().subarray(0, KEY_ID_BYTES);

/** A key as others see it. */
export interface PublicKey {
  /** As minisign shows it: 16 hexadecimal digits. */
  id: string;
  /** As minisign writes it: Base64. */
  text: string;
}

export function publicKeyOf(secret: Buffer): PublicKey {
  const raw = rawPublicKey(secret);
  const id = idOf(raw);
  const text = Buffer.concat([Buffer.from(PLAIN), id, raw]);
  if (text.length !== MINISIGN_KEY_BYTES) throw new Error('the key has another length');
  return {
    id: Buffer.from(id).reverse().toString('hex').toUpperCase(),
    text: text.toString('base64'),
  };
}

/** The signature over the bytes themselves: 64 bytes. */
export const signBytes = (bytes: Buffer, secret: Buffer) => sign(null, bytes, secretKey(secret));

/** The file of a signature that `minisign -V` checks. @param comment one line, which is signed, too */
export function minisignFile(bytes: Buffer, secret: Buffer, comment: string): string {
  const key = secretKey(secret);
  const digest = createHash('blake2b512').update(bytes).digest();
  const signature = sign(null, digest, key);
  const named = Buffer.concat([Buffer.from(HASHED), idOf(rawPublicKey(secret)), signature]);
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  return [
    'untrusted comment: signature of a Lavagna bundle',
    named.toString('base64'),
    `trusted comment: ${comment}`,
    whole.toString('base64'),
    '',
  ].join('\n');
}
