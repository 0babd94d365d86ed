import type { Theme } from '../../db/schema/theme.ts';
import {
  type Color,
  formatColor,
  luminance,
  MIDDLE,
  mix,
  opposite,
  parseColor,
  readable,
  WHITE,
} from '../look/color.ts';
import { cornerRadius } from '../look/radius.ts';
import { fontStack } from './font-family.ts';

/** Contrast that WCAG 2 wants: of dishes' names (AAA), of other text (AA), of edges. */
const TEXT = 7;
const SMALL_TEXT = 4.5;
const EDGE = 3;

/** The variables that `display.css` builds on, by name, each `#rrggbb`. */
function colorsOf(theme: Theme): Record<string, Color> {
  const page = parseColor(theme.background_color);
  const primary = parseColor(theme.primary_color);
  const accent = parseColor(theme.accent_color);
  const surface = mix(page, WHITE, luminance(page) < MIDDLE ? 0.06 : 0.55);
  const grounds = [page, surface];
  const ink = readable(parseColor(theme.text_color), grounds, TEXT);
  return {
    page,
    surface,
    ink,
    muted: readable(mix(ink, page, 0.3), grounds, SMALL_TEXT),
    line: mix(page, ink, 0.16),
    dots: mix(page, ink, 0.42),
    edge: readable(mix(page, ink, 0.35), grounds, EDGE),
    brand: readable(primary, grounds, SMALL_TEXT),
    second: readable(parseColor(theme.secondary_color), grounds, SMALL_TEXT),
    accent: readable(accent, grounds, SMALL_TEXT),
    state: readable(accent, grounds, EDGE),
    ornament: accent,
    masthead: primary,
    'on-masthead': opposite(primary),
  };
}

/**
 * The restaurant's stylesheet. Its background stays as the theme has it; every text is moved towards
 * black or white as far as its contrast demands. Nothing of the theme gets into it as it stands.
 */
export function themeCss(theme: Theme): string {
  const isDark = luminance(parseColor(theme.background_color)) < MIDDLE;
  const colors = Object.entries(colorsOf(theme)).map(
    ([name, color]) => `--${name}: ${formatColor(color)};`,
  );
  const lines = [
    `color-scheme: ${isDark ? 'dark' : 'light'};`,
    ...colors,
    `--radius: ${cornerRadius(theme, '1.25rem')};`,
    `--font: ${fontStack(theme.font_family)};`,
  ];
  return `:root {\n  ${lines.join('\n  ')}\n}\n`;
}
