import { addressText, type ClientAddress } from './client-address.ts';

/**
 * A household, an office or a phone, as one client of every limit: an IPv4 address as the signed
 * number that it is, or the first 64 bits of an IPv6 address as 8 bytes, a character each.
 */
export type ClientNetwork = number | string;

/** Providers give each household, office or phone all addresses of one /64. */
const IPV6_NETWORK_BYTES = 8;
const NO_HOST = '\0'.repeat(IPV6_NETWORK_BYTES);

export function clientNetwork(client: ClientAddress): ClientNetwork {
  return typeof client === 'string' ? client.slice(0, IPV6_NETWORK_BYTES) : client;
}

/** A provider gives one customer an IPv6 /48 at most, which is 65,536 networks. */
const IPV6_SITE_BYTES = 6;

/** As `clientNetwork`, where IPv6 clients are told apart by the first 48 bits. */
export function clientSite(client: ClientAddress): ClientNetwork {
  return typeof client === 'string' ? client.slice(0, IPV6_SITE_BYTES) : client;
}

/** The first address of the network, as people and Postgres read it. */
export function networkText(network: ClientNetwork): string {
  return addressText(typeof network === 'string' ? network + NO_HOST : network);
}
