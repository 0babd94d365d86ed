/** A gateway with this believes a request that names its client's address. */
export const TRUSTED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128' };

/** Addresses of 10.0.0.0/8, one after the other. */
export function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/**
 * In ten seconds a gateway lets one address ask for 600 menus and streams that it has to load. Where
 * 1,000 streams may be open, 125 may come from one address.
 */
export const PER_ADDRESS = 100;

/** An address of this machine to ask from: another one for each `PER_ADDRESS` requests. */
export function loopbackOf(index: number): string {
  return `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`;
}
