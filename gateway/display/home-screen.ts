import { type Answer, createAnswer } from '../http/answer.ts';
import { versionOf } from '../http/asset.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { readSettingsAndTheme } from '../theme/settings-and-theme.ts';
import { TOUCH_ICON_SIZES, touchIcon } from '../theme/touch-icon.ts';

export const MANIFEST_PATH = '/manifest.webmanifest';

const FOREVER = 'public, max-age=31536000, immutable';

/** The address of an icon; another colour has another one. */
export function touchIconPath(primaryColor: string, size: number): string {
  return `/display/${versionOf(primaryColor)}/icon-${size}.png`;
}

/** The manifest by which a phone puts the menu on its home screen. */
export function manifestAnswer(snapshot: LoadedSnapshot): Answer {
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const { background_color, primary_color } = theme;
  const manifest = {
    id: '/',
    name: settings.name,
    short_name: settings.name,
    lang: snapshot.locale,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color,
    theme_color: background_color,
    icons: TOUCH_ICON_SIZES.map((size) => ({
      src: touchIconPath(primary_color, size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  };
  const type = { 'Content-Type': 'application/manifest+json' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(JSON.stringify(manifest)));
}

/** Icons of the last colours: drawing a large one takes some milliseconds. */
const drawn = new Map<string, Buffer>();
const MOST_DRAWN = 60;

/** An icon for home screens in the restaurant's present colour. */
export function touchIconAnswer(snapshot: LoadedSnapshot, size: number, version: string): Answer {
  const { theme } = readSettingsAndTheme(snapshot);
  const path = touchIconPath(theme.primary_color, size);
  const icon = drawn.get(path) ?? touchIcon(theme, size);
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  drawn.set(path, icon);
  const isPresent = version === versionOf(theme.primary_color);
  const type = { 'Content-Type': 'image/png' };
  return createAnswer('200 OK', isPresent ? FOREVER : 'no-cache', type, icon);
}
