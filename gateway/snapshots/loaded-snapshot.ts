import type { StoredSnapshot } from '../../db/queries/find-snapshots.ts';
import type { Locale } from '../../db/records/locale.ts';
import { type BodyName, openPack, type Snapshot } from '../../db/snapshot/pack.ts';
import { prepareResource, type Resource } from '../http/resource.ts';

/** A snapshot in memory, with the answers that it holds ready to be sent. */
export interface LoadedSnapshot extends Snapshot {
  tenant: Tenant;
  /** Names the snapshot in the cache: `<slug>/<locale>`. */
  key: string;
  resources: Partial<Record<BodyName, Resource>>;
}

/** A tenant of which at least one snapshot is in memory. */
export interface Tenant {
  id: number;
  slug: string;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  /** IANA name. */
  timezone: string;
  snapshots: Map<Locale, LoadedSnapshot>;
}

/** Opens a stored pack and makes its answers. */
export function loadSnapshot(tenant: Tenant, stored: StoredSnapshot, pack: Buffer): LoadedSnapshot {
  const snapshot = openPack(pack);
  const resources: LoadedSnapshot['resources'] = {};
  let overhead = 0;
  for (const [name, body] of Object.entries(snapshot.bodies)) {
    const resource = prepareResource(body);
    resources[name as BodyName] = resource;
    overhead += resource.overhead;
  }
  return {
    ...snapshot,
    bytes: snapshot.bytes + overhead,
    tenant,
    key: `${tenant.slug}/${stored.locale}`,
    resources,
  };
}
