import { makeBundleSecret, type PublicKey, publicKeyOf } from '../bundle/signing.ts';
import type { Db } from '../postgres/sql.ts';
import {
  ensureBundleSecret,
  findBundleSecrets,
  saveNextSecret,
  takeNextSecret,
} from '../sql/bundle-keys.ts';

/** The public keys of a restaurant's bundles. */
interface BundleKeys {
  /** The one that signs. */
  key: PublicKey;
  /** The one that will sign next; bundles of today name it. */
  next: PublicKey | null;
}

function shown({ secret, next_secret: next }: { secret: Buffer; next_secret: Buffer | null }) {
  return { key: publicKeyOf(secret), next: next && publicKeyOf(next) };
}

/** The secrets that sign a restaurant's bundles; they are made when they are needed first. */
export async function ensureBundleSecrets(db: Db, tenantId: number) {
  return (
    (await findBundleSecrets(db, tenantId)) ??
    (await ensureBundleSecret(db, tenantId, makeBundleSecret()))
  );
}

/** The public keys; made when they are needed first. */
export async function ensureBundleKeys(db: Db, tenantId: number): Promise<BundleKeys> {
  return shown(await ensureBundleSecrets(db, tenantId));
}

/** The public keys that a screen trusts, as minisign writes them; none before the first one is made. */
export async function trustedKeys(db: Db, tenantId: number): Promise<string[]> {
  const found = await findBundleSecrets(db, tenantId);
  if (!found) return [];
  const { key, next } = shown(found);
  return [key.text, ...(next ? [next.text] : [])];
}

/** Names the key that will follow: from now on, each bundle tells screens to trust it, too. */
export async function announceBundleKey(db: Db, tenantId: number): Promise<BundleKeys> {
  await ensureBundleSecrets(db, tenantId);
  return shown(await saveNextSecret(db, tenantId, makeBundleSecret()));
}

/** Lets the next key sign. A screen that has got no bundle with it meanwhile has to be online once. */
export async function changeBundleKey(db: Db, tenantId: number): Promise<BundleKeys | null> {
  const taken = await takeNextSecret(db, tenantId);
  return taken && shown(taken);
}
