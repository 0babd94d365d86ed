import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
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
export function checkAddress(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError(address);
}
