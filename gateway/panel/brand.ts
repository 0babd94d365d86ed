import { memoizeWeakly } from '../../db/runtime/memoize.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { createShortAsset } from '../http/asset.ts';
import type { Restaurant } from '../snapshots/loaded-snapshot.ts';
import {
  BLACK,
  type Color,
  luminance,
  MIDDLE,
  mix,
  moveUntil,
  opposite,
  parseColor,
  readable,
  WHITE,
} from '../theme/color.ts';
import { type Palette, readSettingsAndTheme, themeCss } from '../theme/theme-css.ts';
import { iconSvg } from '../theme/touch-icon.ts';

/** The colours of a theme from which the panel's are derived, each `#RRGGBB`. */
type ThemeColors = Pick<
  Theme,
  'primary_color' | 'accent_color' | 'background_color' | 'text_color'
>;

/** Contrast that WCAG 2 wants: for text (AAA and AA) and for the edges of what can be operated. */
const TEXT = 7;
const SMALL_TEXT = 4.6;
const EDGE = 3.1;
/** How far from the middle the page's luminance keeps. */
const LIGHTEST_DARK = 0.04;
const DARKEST_LIGHT = 0.7;

const SIGNALS = {
  good: parseColor('#2e7d4f'),
  warn: parseColor('#a86a00'),
  bad: parseColor('#b3261e'),
};

/** A signal's three tones: its text, its ground and, for what can be operated, its edge. */
function signalColors(
  name: string,
  signal: Color,
  { page, surface }: { page: Color; surface: Color },
): [string, Color][] {
  const ground = mix(surface, signal, 0.12);
  return [
    [name, readable(signal, [page, surface, ground], SMALL_TEXT)],
    [`${name}-ground`, ground],
    [`${name}-edge`, mix(surface, signal, 0.45)],
  ];
}

/**
 * Derives the panel's colours from a restaurant's theme so that every text can be read, whatever
 * the theme holds: grounds keep away from the middle greys, and everything on them is moved towards
 * black or white until its contrast is enough.
 */
export function panelPalette(theme: ThemeColors): Palette {
  const background = parseColor(theme.background_color);
  const primary = parseColor(theme.primary_color);
  const accent = parseColor(theme.accent_color);
  const dark = luminance(background) < MIDDLE;
  const page = dark
    ? moveUntil(background, BLACK, (color) => luminance(color) <= LIGHTEST_DARK)
    : moveUntil(background, WHITE, (color) => luminance(color) >= DARKEST_LIGHT);
  const surface = mix(page, WHITE, dark ? 0.055 : 0.72);
  const field = mix(page, dark ? BLACK : WHITE, dark ? 0.25 : 1);
  const tint = mix(surface, primary, dark ? 0.1 : 0.05);
  const grounds = [page, surface, field, tint];
  const ink = readable(parseColor(theme.text_color), grounds, TEXT);
  const brand = readable(primary, [page, surface], EDGE);
  const onBrand = opposite(brand);
  // A masthead needs no edge of its own, so the restaurant's colour stays as it is.
  const onMasthead = opposite(primary);
  const awayFrom = (text: Color) => (text === WHITE ? BLACK : WHITE);
  const colors: [string, Color][] = [
    ['page', page],
    ['surface', surface],
    ['field', field],
    ['ink', ink],
    ['muted', readable(mix(ink, page, 0.36), grounds, SMALL_TEXT)],
    ['line', mix(page, ink, 0.14)],
    ['field-edge', readable(mix(page, ink, 0.3), grounds, EDGE)],
    ['brand', brand],
    ['brand-hover', mix(brand, awayFrom(onBrand), 0.16)],
    ['on-brand', onBrand],
    ['link', readable(primary, grounds, SMALL_TEXT)],
    ['accent', accent],
    ['tint', tint],
    ['masthead', primary],
    ['masthead-deep', mix(primary, awayFrom(onMasthead), 0.22)],
    ['on-masthead', onMasthead],
    ...Object.entries(SIGNALS).flatMap(([name, signal]) =>
      signalColors(name, signal, { page, surface }),
    ),
  ];
  return {
    scheme: dark ? 'dark' : 'light',
    colors: Object.fromEntries(colors),
  };
}

const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Times New Roman', serif";
const SANS = "'Avenir Next', Avenir, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** The panel loads no font from other servers; it takes the kind of the theme's font. */
function displayFont(fontFamily: string): string {
  const isSerif = /(?<!sans-)serif|georgia|garamond|times/i.test(fontFamily);
  return isSerif ? SERIF : SANS;
}

/** The variables that `panel.css` builds on. */
export function panelCss(theme: Theme): string {
  return themeCss(theme, {
    palette: panelPalette(theme),
    maxRadius: '0.875rem',
    variables: { display: displayFont(theme.font_family) },
  });
}

/** The name and colours of a restaurant in the panel. */
export type Brand = ReturnType<typeof brandOf>;

/** The restaurant's name and colours; made once for a menu in memory. */
export const brandOf = memoizeWeakly((restaurant: Restaurant) => {
  const { settings, theme } = readSettingsAndTheme(restaurant);
  const { name } = settings;
  return {
    name,
    /** Its languages. */
    locales: settings.supported_locales,
    /** The variables that `panel.css` builds on. */
    stylesheet: createShortAsset('text/css', panelCss(theme)),
    icon: createShortAsset('image/svg+xml', iconSvg(name, theme)),
  };
});
