import { tenantSlug } from '../http/host.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { Hosts } from './hosts.ts';

/** Whether something is served at a host: a proxy asks before it gets a certificate. */
export type HostCheck = (name: string) => Promise<boolean>;

/** @param domain of the restaurants; the operator's own pages are there */
export function createHostCheck({
  hosts,
  store,
  domain,
}: {
  hosts: Pick<Hosts, 'find'>;
  store: Pick<SnapshotStore, 'findFront'>;
  domain: string;
}): HostCheck {
  return async (name) => {
    if (name === domain) return true;
    const slug = tenantSlug(name, domain);
    if (slug === null) return name.includes('.') && (await hosts.find(name)) !== null;
    return (await store.findFront(slug)) !== null || (await hosts.find(slug)) !== null;
  };
}
