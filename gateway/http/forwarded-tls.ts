/** Whether an X-Forwarded-Proto says that the client came through TLS. */
export function saysTls(forwardedProto: string): boolean {
  return forwardedProto.split(',', 1)[0]?.trim().toLowerCase() === 'https';
}

/**
 * Whether a proxy in front of us ends TLS and says so. Anybody may claim it, so it decides only about
 * what the claimant gets.
 */
export function isForwardedTls(headers: ReadonlyMap<string, string>): boolean {
  return saysTls(headers.get('x-forwarded-proto') ?? '');
}
