import type { Config } from './config.ts';

/** The origin of a restaurant's pages and photos, such as `https://trattoria.menu.example.com`. */
export function restaurantOrigin(
  { domain, publicUrl: { scheme, port } }: Pick<Config, 'domain' | 'publicUrl'>,
  slug: string,
): string {
  return `${scheme}//${slug}.${domain}${port === '' ? '' : `:${port}`}`;
}
