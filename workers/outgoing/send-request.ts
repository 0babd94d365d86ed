import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A host is at an address to which no request may go. */
class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';

  constructor(address: string) {
    super(`${address} is not a public address`);
  }
}

/** Whether an address is anybody's on the Internet: not private, local, reserved or a way to these. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

/** Asks for all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Makes a look-up for connections that answers with public addresses only. A connection goes to the
 * addresses that were checked, so that a name that changes its address meanwhile gains nothing. A name
 * one of whose addresses is not public is refused with PrivateAddressError.
 */
export function createPublicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const wrong = addresses.find(({ address }) => !isPublicAddress(address));
      if (wrong) return callback(new PrivateAddressError(wrong.address), '', 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** @throws PrivateAddressError for a host that is an address, which is not looked up */
function checkAddress(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError(address);
}

const publicLookup = createPublicLookup();

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

interface OutgoingReply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning. */
  body: Buffer;
}

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
): Promise<OutgoingReply> {
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
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
  const body = await readStart(incoming, maxBytes);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
}
