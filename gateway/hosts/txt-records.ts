import { Resolver } from 'node:dns/promises';
import type { ReadTexts } from '../../db/platform/hosts.ts';
import type { Constants } from '../../db/runtime/constants.ts';

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
