/**
 * Whether a proxy in front of us ends TLS and says so. Anybody may claim it, so it decides only about
 * what the claimant gets.
 */
export function isForwardedTls(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https';
}
