import type { ClientAddress } from './client-address.ts';

/** A household or an office has the other 64 bits of an IPv6 address to itself. */
const IPV6_NETWORK_BYTES = 8;

/** Who counts as one client where addresses come by the billion: an IPv4 address, an IPv6 network. */
export function clientNetwork(client: ClientAddress): string {
  return typeof client === 'string' ? client.slice(0, IPV6_NETWORK_BYTES) : `${client}`;
}
