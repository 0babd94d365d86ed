import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Webhook } from 'standardwebhooks';
import type { Constants } from '../../db/runtime/constants.ts';
import type { DeliveryAttempt, DueDelivery } from '../../db/sql/webhooks.ts';

/** A receiver's address is none that a message may go to. */
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
function checkReceiverHost(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError(address);
}

/** The class of the answers by which a receiver takes a message, 2xx. */
const TAKEN = 2;
const publicLookup = createPublicLookup();

export interface SendOptions {
  constants: Pick<Constants, 'webhookTimeout'>;
  /** WEBHOOKS_PRIVATE: receivers may be at private addresses. */
  isPrivateAllowed: boolean;
  /** By default one that finds public addresses only. */
  lookup?: LookupFunction;
}

/** The headers of Standard Webhooks; after a change of the secret both sign. */
function signedHeaders({ message_id, payload, secret, former_secret }: DueDelivery, at: Date) {
  const secrets = former_secret === null ? [secret] : [secret, former_secret];
  const signatures = secrets.map((one) => new Webhook(one).sign(message_id, at, payload));
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(payload)),
    'User-Agent': 'Lavagna-Webhooks/1',
    'webhook-id': message_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

function post(
  url: URL,
  headers: Record<string, string>,
  payload: string,
  { constants, isPrivateAllowed, lookup = publicLookup }: SendOptions,
): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers,
      // No connection is kept, so that each one goes to an address that was just checked.
      agent: false,
      signal: AbortSignal.timeout(constants.webhookTimeout),
      ...(!isPrivateAllowed && { lookup }),
    });
    outgoing.on('response', (incoming) => {
      resolve(incoming.statusCode ?? 0);
      // The answer's body says nothing to us.
      incoming.on('error', () => undefined);
      incoming.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Sends a message once; redirects are not followed. Only an answer of 2xx counts as taken. */
export async function sendMessage(
  due: DueDelivery,
  options: SendOptions,
): Promise<DeliveryAttempt> {
  try {
    const url = new URL(due.url);
    if (!options.isPrivateAllowed) checkReceiverHost(url.hostname);
    const status = await post(url, signedHeaders(due, new Date()), due.payload, options);
    const isTaken = Math.floor(status / 100) === TAKEN;
    return { status, error: isTaken ? null : `answered ${status}` };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const isLate =
      (error as Error).name === 'AbortError' || (error as Error).name === 'TimeoutError';
    const text = isLate ? `no answer within ${options.constants.webhookTimeout} ms` : message;
    return { status: null, error: (text || code || 'unknown').slice(0, 300) };
  }
}
