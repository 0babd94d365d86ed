import type { Config } from '../../runtime/config.ts';

/**
 * Where a restaurant's pages are, as far as the configuration says: on this machine a gateway's PORT,
 * elsewhere https, which a proxy ends where no certificate is given.
 */
export function restaurantOrigin(
  { domain, port, tls }: Pick<Config, 'domain' | 'port' | 'tls'>,
  slug: string,
): string {
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
  const host = `${slug}.${domain}`;
  if (!isLocal && !tls) return `https://${host}`;
  const [scheme, usual] = tls ? ['https', 443] : ['http', 80];
  return `${scheme}://${host}${port === usual ? '' : `:${port}`}`;
}
