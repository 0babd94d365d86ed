import { Resolver } from 'node:dns/promises';
import type { ReadTexts } from '../../db/platform/hosts.ts';
import type { Constants } from '../../db/runtime/constants.ts';
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

/**
 * Makes the reader of TXT records. A name server that is away, or that knows no such name, has none.
 *
 * @param servers addresses with or without ports; none: those of the system
 */
export function createTextReader(
  servers: readonly string[],
  { dnsTimeout: timeout, dnsTries: tries }: Pick<Constants, 'dnsTimeout' | 'dnsTries'>,
): ReadTexts {
  const resolver = new Resolver({ timeout, tries });
  if (servers.length > 0) resolver.setServers([...servers]);
  return async (name) => {
    // Each failure has a code of its own, and the owner can only look and try again.
    const records = await resolver.resolveTxt(name).catch(() => []);
    return records.map((parts) => parts.join(''));
  };
}
