import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { withMediaOrigin } from '../../db/schema/media-origin.ts';
import type { ChangedSnapshot, MenuHead } from '../../db/sql/snapshots.ts';

/**
 * The origin of a restaurant's photos, which keep their addresses whatever own hosts it has, such as `https://trattoria.menu.example.com`.
 */
export type MediaOrigin = (slug: string) => string;

export function createMediaOrigin(originOf: OriginOf): MediaOrigin {
  return (slug) => originOf({ slug, host: null });
}

function addressedTexts<T extends Partial<Record<string, string>>>(texts: T, origin: string): T {
  const entries = Object.entries(texts).map(([locale, json = '']) => [
    locale,
    withMediaOrigin(json, origin),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The head of a restaurant's menu, its photos with absolute addresses. */
export function addressedHead(head: MenuHead, origin: string): MenuHead {
  return { ...head, settings: addressedTexts(head.settings, origin) };
}

/** The same for a menu as it was read. */
export function addressed<T extends ChangedSnapshot | null>(
  stored: T,
  mediaOrigin: MediaOrigin,
): T {
  if (!stored) return stored;
  const origin = mediaOrigin(stored.slug);
  const { head, templates } = stored;
  return {
    ...stored,
    head: head && addressedHead(head, origin),
    templates: templates.map((text) => withMediaOrigin(text, origin)),
  };
}
