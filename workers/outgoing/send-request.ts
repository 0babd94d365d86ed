import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A host is at an address to which no request may go. The message names no address: owners read it, and
 * a name inside the operator's network is none of their business.
 */
class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';

  constructor() {
    super('the host is not at a public address');
  }
}

/** The part of IPv6 that is given to networks of the Internet; all of the rest has another meaning. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address is anybody's on the Internet: not private, local, reserved or a way to these. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** Asks for all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Makes a look-up for connections that answers with public addresses only. A connection goes to the
 * addresses that were checked, so that a name that changes its address meanwhile gains nothing. It
 * refuses a name with PrivateAddressError when any of its addresses is not public.
 */
export function createPublicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateAddressError(), '', 0);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** @throws PrivateAddressError for a host that is an address, which is not looked up */
function checkAddress(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError();
}

const publicLookup = createPublicLookup();

/** The error without the address of the host, which Node puts into its message. */
function withoutAddress(error: NodeJS.ErrnoException): Error {
  if (!('address' in error)) return error;
  const { syscall, code } = error;
  return Object.assign(new Error(`${syscall} ${code}`), { code });
}

/** How requests go to addresses that owners of restaurants have named. */
export interface OutgoingOptions {
  /** WEBHOOKS_PRIVATE: requests may go to private addresses. */
  isPrivateAllowed: boolean;
  /** Ends what goes on. */
  signal?: AbortSignal;
  /** By default one that finds public addresses only. */
  lookup?: LookupFunction;
}

interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  payload?: string;
  /** Until the answer is there, in ms. */
  timeout: number;
  /** How much of the answer's body is read, in bytes. */
  maxBytes: number;
}

/** Whether a receiver has taken a message: answers of 2xx alone say so. */
export const isTaken = (status: number) => Math.floor(status / 100) === 2;

/** The first bytes of a body; the rest is not read. */
async function readStart(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (maxBytes > 0) {
    for await (const piece of incoming) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= maxBytes) break;
    }
  }
  incoming.on('error', () => undefined);
  incoming.destroy();
  return Buffer.concat(pieces).subarray(0, maxBytes);
}

/**
 * Sends one request; redirects are not followed.
 *
 * @throws Error when there is no answer in time, and PrivateAddressError
 */
export async function sendRequest(
  url: URL,
  { method, headers, payload, timeout, maxBytes }: OutgoingRequest,
  { isPrivateAllowed, signal, lookup = publicLookup }: OutgoingOptions,
) {
  if (!isPrivateAllowed) checkAddress(url.hostname);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, {
      ...{ method, headers },
      // No connection is kept, so that each one goes to an address that was just checked.
      agent: false,
      signal: AbortSignal.timeout(timeout),
      ...(!isPrivateAllowed && { lookup }),
    });
    // A signal of both would stay in memory as long as the longer one.
    const end = () => outgoing.destroy(new Error('the sender stops'));
    signal?.addEventListener('abort', end);
    outgoing.on('close', () => signal?.removeEventListener('abort', end));
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(withoutAddress(error)));
    outgoing.end(payload);
  });
  const body = await readStart(incoming, maxBytes);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
}
