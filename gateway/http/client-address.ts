import ipaddr from 'ipaddr.js';

/**
 * A client's address as a key: IPv4 as a signed number of 32 bits, IPv6 as its 16 bytes, a
 * character each. An IPv4 address inside IPv6 is the IPv4 address. Limits count clients by
 * `clientNetwork`. Keys are made for every request, texts only for Postgres.
 */
export type ClientAddress = number | string;

/** An address that says nothing: 0.0.0.0, as which no client can call. */
const UNSPECIFIED = 0;
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?::\d+)?$/;
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;

/** By hand: making a DataView leaves the compiled code, and takes longer than all of this. */
function int32At(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return (a << 24) | (b << 16) | (c << 8) | d;
}

/** The key of an address of 4 or 16 bytes in network order. */
export function addressOfBytes(buffer: ArrayBuffer): ClientAddress {
  const bytes = new Uint8Array(buffer);
  if (bytes.length === 4) return int32At(bytes, 0);
  if (bytes.length !== 16) return UNSPECIFIED;
  const isMapped =
    int32At(bytes, 8) === 0xffff && int32At(bytes, 0) === 0 && int32At(bytes, 4) === 0;
  return isMapped ? int32At(bytes, 12) : Buffer.from(buffer).toString('latin1');
}

/** The key of an address as a proxy writes it, with or without a port; undefined for other text. */
export function addressOfText(text: string): ClientAddress | undefined {
  const parts = IPV4.exec(text);
  if (parts) {
    const [a, b, c, d] = [Number(parts[1]), Number(parts[2]), Number(parts[3]), Number(parts[4])];
    const valid = a < 256 && b < 256 && c < 256 && d < 256;
    return valid ? (a << 24) | (b << 16) | (c << 8) | d : undefined;
  }
  const bare = BRACKETED.exec(text)?.[1] ?? text;
  // A zone names an interface of the proxy, not a client.
  if (bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return undefined;
  return addressOfBytes(new Uint8Array(ipaddr.IPv6.parse(bare).toByteArray()).buffer);
}

/** The address as people and Postgres read it. */
export function addressText(client: ClientAddress): string {
  if (typeof client === 'string') {
    return new ipaddr.IPv6([...Buffer.from(client, 'latin1')]).toString();
  }
  return `${client >>> 24}.${(client >>> 16) & 255}.${(client >>> 8) & 255}.${client & 255}`;
}

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

/** Makes the test whether an address lies in one of the CIDR ranges. */
function createMembership(cidrs: readonly string[]): (address: ClientAddress) => boolean {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const v6 = ranges.filter(([network]) => network.kind() === 'ipv6') as [ipaddr.IPv6, number][];
  const v4 = ranges
    .filter(([network]) => network.kind() === 'ipv4')
    .map(([network, bits]) => {
      // A shift by 32 would be one by 0.
      const mask = bits === 0 ? 0 : -1 << (32 - bits);
      return { mask, network: (addressOfText(network.toString()) as number) & mask };
    });
  return (address) => {
    if (typeof address === 'number') {
      return v4.some(({ mask, network }) => (address & mask) === network);
    }
    if (v6.length === 0) return false;
    const parsed = new ipaddr.IPv6([...Buffer.from(address, 'latin1')]);
    return v6.some((range) => parsed.match(range));
  };
}

/**
 * Finds out who sent a request.
 *
 * @param trustedProxies CIDR ranges; with none, every peer is a client
 */
export function createClientAddresses(trustedProxies: readonly string[]) {
  const isProxy = trustedProxies.length === 0 ? () => false : createMembership(trustedProxies);
  return {
    /** Whether the connection's other end may speak for others: only then `find` looks further. */
    isProxy,
    /**
     * The client behind a trusted proxy: who the nearest trusted proxy says it heard. First by the
     * PROXY protocol, which names the other end of that proxy's connection, then hop by hop through
     * X-Forwarded-For from its end, as far as the hops are trusted. The
     * rest was written by the client and is not read.
     */
    find: (peer: ClientAddress, proxied: ArrayBuffer, forwardedFor: string) => {
      let client = proxied.byteLength > 0 ? addressOfBytes(proxied) : peer;
      let end = forwardedFor.length;
      while (end > 0 && isProxy(client)) {
        const comma = forwardedFor.lastIndexOf(',', end - 1);
        const hop = addressOfText(forwardedFor.slice(comma + 1, end).trim());
        // A proxy that we trust writes an address that can be read.
        if (hop === undefined) return client;
        client = hop;
        end = comma;
      }
      return client;
    },
  };
}
