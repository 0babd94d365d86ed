import { createHash, createPublicKey, verify } from 'node:crypto';
import { zipMeans } from './unzip.js';
import { type Means, openBundle, type Trust } from './verify.js';

/** Stand before the 32 bytes of a public key of Ed25519 (RFC 8410). */
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const means: Means = {
  ...zipMeans,
  sha256: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
  verify: async (signature, bytes, publicKey) => {
    const der = Buffer.concat([PUBLIC_HEAD, publicKey]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, bytes, key, signature);
  },
};

/** Opens a bundle in a process. @throws RefusedBundle */
export const checkBundle = (bytes: Uint8Array, trust: Trust) => openBundle(bytes, trust, means);
