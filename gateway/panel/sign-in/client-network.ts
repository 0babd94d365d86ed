import type { ClientAddress } from '../../http/client-address.ts';

/** A household or an office has the other 64 bits of an IPv6 address to itself. */
const IPV6_NETWORK_BYTES = 8;

/** Whose sign-ins are counted together: an IPv4 address, or a network of IPv6 addresses. */
export function clientNetwork(client: ClientAddress): string {
  return typeof client === 'string' ? client.slice(0, IPV6_NETWORK_BYTES) : `${client}`;
}
