/** A gateway with this believes a request that names its client's address. */
export const TRUSTED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128' };

/** Addresses of 10.0.0.0/8, one after the other. */
export function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
