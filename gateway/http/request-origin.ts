import { addressOfBytes, type ClientAddress, createClientAddresses } from './client-address.ts';

/** Whether an X-Forwarded-Proto says that the client came through TLS. */
function saysTls(forwardedProto: string): boolean {
  return forwardedProto.split(',', 1)[0]?.trim().toLowerCase() === 'https';
}

/**
 * Whether a proxy in front of us ends TLS and says so. Anybody may claim it, so it decides only about
 * what the claimant gets.
 */
export function isForwardedTls(headers: ReadonlyMap<string, string>): boolean {
  return saysTls(headers.get('x-forwarded-proto') ?? '');
}

/** Where a request comes from. */
export interface RequestOrigin {
  client: ClientAddress;
  /**
   * Whether its connection carries no further one. Behind a proxy that only passes bytes on, a
   * client could send a preamble of its own after its first request, and so another address.
   */
  isLast: boolean;
  /** Whether its client came through TLS: to us, or to a trusted proxy that says so. */
  isTls: boolean;
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
  return (connection: Connection, head: Head): RequestOrigin => {
    const peer = addressOfBytes(connection.getRemoteAddress());
    // Anybody can speak the PROXY protocol, and the library listens to anybody.
    if (!addresses.isProxy(peer)) return { client: peer, isLast: false, isTls: endsTls };
    const source = connection.getProxiedRemoteAddress();
    const client = addresses.find(peer, source, readForwardedFor(head));
    const isTls = endsTls || saysTls(head.getHeader(FORWARDED_PROTO));
    return { client, isLast: source.byteLength > 0, isTls };
  };
}
