import type { Config } from '../../db/runtime/config.ts';
import { restaurantOrigin } from '../../db/runtime/restaurant-origin.ts';

/** The origin of a restaurant's photos, such as `https://trattoria.menu.example.com`. */
export type MediaOrigin = (slug: string) => string;

export function createMediaOrigin(config: Pick<Config, 'domain' | 'publicUrl'>): MediaOrigin {
  return (slug) => restaurantOrigin(config, slug);
}
