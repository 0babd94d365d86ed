import { isSlug, MAX_SLUG } from '../../db/schema/host.ts';
import { addressOfBytes, type ClientAddress, createClientAddresses } from './client-address.ts';
import type { Request } from './exchange.ts';

/** The name in a Host header: in lower case, without a port and a trailing dot. */
export function hostName(host: string): string {
  const colon = host.indexOf(':');
  const name = (colon === -1 ? host : host.slice(0, colon)).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The longest part of a host beside slug and domain: two dots and a port. */
const MAX_REST = '..:65535'.length;

/**
 * Reads the tenant's slug from a Host header: `<tenant>.<domain>`, case-insensitive, port and
 * trailing dot ignored. Null when the host is not directly below the domain, or longer than such a
 * host can be.
 */
export function tenantSlug(host: string, domain: string): string | null {
  if (host.length > MAX_SLUG + domain.length + MAX_REST) return null;
  const name = hostName(host);
  const label = name.length - domain.length - 1;
  if (label < 1 || name[label] !== '.' || !name.endsWith(domain)) return null;
  const slug = name.slice(0, label);
  return isSlug(slug) ? slug : null;
}

/** Whether an X-Forwarded-Proto says that the client came through TLS. */
function saysTls(forwardedProto: string): boolean {
  return forwardedProto.split(',', 1)[0]?.trim().toLowerCase() === 'https';
}

/**
 * Whether a client came through TLS, to us or to a proxy in front of us that says so. Anybody may claim
 * the latter, so it decides only about what the claimant gets.
 */
export function isTls({ secure, headers }: Pick<Request, 'secure' | 'headers'>): boolean {
  return secure || saysTls(headers.get('x-forwarded-proto') ?? '');
}

/** The way on which a request comes. */
export interface Way {
  /**
   * Whether its connection carries no further one. Behind a proxy that only passes bytes on, a
   * client could send a preamble of its own after its first request, and so another address.
   */
  isLast: boolean;
  /** Whether its client came through TLS: to us, or to a trusted proxy that says so. */
  isTls: boolean;
}

export interface RequestOrigin extends Way {
  client: ClientAddress;
}

/** The library's view of a connection, and of a request on it. */
interface Connection {
  getRemoteAddress(): ArrayBuffer;
  getProxiedRemoteAddress(): ArrayBuffer;
}
interface Head {
  getHeader(name: Uint8Array): string;
  forEach(take: (name: string, value: string) => void): void;
}

/** A proxy may add a header of its own below the one that the client sent: all of them count. */
function readForwardedFor(head: Head): string {
  let hops = '';
  head.forEach((name, value) => {
    if (name === 'x-forwarded-for') hops = hops === '' ? value : `${hops},${value}`;
  });
  return hops;
}

// The library takes names as bytes, too, which spares it a conversion for each request.
const FORWARDED_PROTO = Buffer.from('x-forwarded-proto');

/**
 * @param trustedProxies CIDR ranges of proxies that are believed about the client's address
 * @param endsTls whether every connection is TLS that ends here
 */
export function createOrigins(trustedProxies: readonly string[], endsTls: boolean) {
  const addresses = createClientAddresses(trustedProxies);
  const direct: Way = { isLast: false, isTls: endsTls };
  const originOf = (connection: Connection, head: Head): RequestOrigin => {
    const peer = addressOfBytes(connection.getRemoteAddress());
    // Anybody can speak the PROXY protocol, and the library listens to anybody.
    if (!addresses.isProxy(peer)) return { client: peer, isLast: false, isTls: endsTls };
    const source = connection.getProxiedRemoteAddress();
    const client = addresses.find(peer, source, readForwardedFor(head));
    const isTls = endsTls || saysTls(head.getHeader(FORWARDED_PROTO));
    return { client, isLast: source.byteLength > 0, isTls };
  };
  // The library makes an array of each address that is read: pages, which no limit counts, go without.
  const wayOf: (connection: Connection, head: Head) => Way =
    trustedProxies.length === 0 ? () => direct : originOf;
  return { originOf, wayOf };
}
