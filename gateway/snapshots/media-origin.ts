import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';

/**
 * The origin of a restaurant's photos, which keep their addresses whatever own hosts it has, such as `https://trattoria.menu.example.com`.
 */
export type MediaOrigin = (slug: string) => string;

export function createMediaOrigin(originOf: OriginOf): MediaOrigin {
  return (slug) => originOf({ slug, host: null });
}
