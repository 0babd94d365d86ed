import type { Config } from '../../db/runtime/config.ts';

/** The origin of a restaurant's photos, such as `https://trattoria.menu.example.com`. */
export type MediaOrigin = (slug: string) => string;

export function createMediaOrigin({
  domain,
  publicUrl: { scheme, port },
}: Pick<Config, 'domain' | 'publicUrl'>): MediaOrigin {
  return (slug) => `${scheme}//${slug}.${domain}${port === '' ? '' : `:${port}`}`;
}
