import type { Settings } from '../../db/schema/settings.ts';
import { CSS_LENGTH, FONT_FAMILY, type Theme } from '../../db/schema/theme.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import type { Restaurant } from '../snapshots/loaded-snapshot.ts';
import {
  BLACK,
  type Color,
  formatColor,
  luminance,
  MIDDLE,
  mix,
  opposite,
  parseColor,
  readable,
  WHITE,
} from './color.ts';
import { fontFaces, scriptFontRules } from './own-fonts.ts';

/** A theme's colours as one kind of page uses them. */
export interface Palette {
  scheme: 'light' | 'dark';
  /** By the name of their CSS variable. */
  colors: Record<string, Color>;
}

/** The choices of a kind of page for a theme. */
interface Look {
  palette: Palette;
  /** The greatest rounding, a CSS length. */
  maxRadius: string;
  /** Further variables by name, as safe CSS. */
  variables: Record<string, string>;
}

function rootRule(scheme: Palette['scheme'], variables: readonly (readonly [string, string])[]) {
  const lines = [
    `color-scheme: ${scheme};`,
    ...variables.map(([name, value]) => `--${name}: ${value};`),
  ];
  return `:root {\n  ${lines.join('\n  ')}\n}\n`;
}

function colorsOf({ colors }: Palette) {
  return Object.entries(colors).map(([name, color]) => [name, formatColor(color)] as const);
}

/**
 * The restaurant's stylesheet: the variables on which a page's own stylesheets build. The theme's own
 * text never gets into it: colours are computed, and lengths must look like one.
 */
export function themeCss(theme: Theme, { palette, maxRadius, variables }: Look): string {
  const radius = ['radius', cornerRadius(theme, maxRadius)] as const;
  return rootRule(palette.scheme, [...colorsOf(palette), radius, ...Object.entries(variables)]);
}

/**
 * The theme's rounding as a value for a stylesheet, not above `max`. An old value that is no length
 * gives the default.
 */
function cornerRadius({ border_radius }: Theme, max: string): string {
  const length = CSS_LENGTH.test(border_radius) ? border_radius : '8px';
  // Among lengths, `min` takes no number, zero neither.
  return `min(${length === '0' ? '0px' : length}, ${max})`;
}

/** Contrast that WCAG 2 wants: of dishes' names (AAA), of other text (AA), of edges. */
const TEXT = 7;
const SMALL_TEXT = 4.5;
const EDGE = 3;

/**
 * The colours of the menu's page. Its background stays as the theme has it; every text is moved
 * towards black or white as far as its contrast demands.
 */
function menuPalette(theme: Theme): Palette {
  const page = parseColor(theme.background_color);
  const primary = parseColor(theme.primary_color);
  const accent = parseColor(theme.accent_color);
  const isDark = luminance(page) < MIDDLE;
  const surface = mix(page, WHITE, isDark ? 0.06 : 0.55);
  const grounds = [page, surface];
  const ink = readable(parseColor(theme.text_color), grounds, TEXT);
  const colors = {
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
  return { scheme: isDark ? 'dark' : 'light', colors };
}

/** How far a dark page is from black, towards the light one that it stands for. */
const DARK_TINT = 0.09;

/** A light theme with its page and its text turned; null where there is none. */
export function darkTheme(theme: Theme): Theme | null {
  const page = parseColor(theme.background_color);
  if (!theme.dark_mode || luminance(page) < MIDDLE) return null;
  const background_color = formatColor(mix(BLACK, page, DARK_TINT));
  return { ...theme, background_color, text_color: theme.background_color };
}

const GENERIC = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui', 'ui-serif']);

/**
 * A theme's `font_family` as a value for a stylesheet: names are quoted, names that the API would
 * refuse today are left out, and a generic family stands at the end.
 */
export function fontStack(fontFamily: string): string {
  const names = fontFamily
    .split(',')
    .map((name) => name.replace(/['"]/g, '').trim())
    .filter((name) => FONT_FAMILY.test(name));
  const isGeneric = (name: string) => GENERIC.has(name.toLowerCase());
  if (!names.some(isGeneric)) names.push('system-ui', 'sans-serif');
  return names.map((name) => (isGeneric(name) ? name.toLowerCase() : `'${name}'`)).join(', ');
}

/**
 * The variables that the stylesheets of the menu's page build on.
 *
 * @param locales the languages of the menu
 */
export function menuCss(theme: Theme, locales: readonly Locale[] = []): string {
  const font = fontStack(theme.font_family);
  const css = themeCss(theme, {
    palette: menuPalette(theme),
    maxRadius: '1.25rem',
    variables: { font },
  });
  return fontFaces(theme) + css + darkCss(theme) + scriptFontRules(font, locales);
}

/** The same theme on a dark page, for devices that are dark; empty where the restaurant wants none. */
function darkCss(theme: Theme): string {
  const dark = darkTheme(theme);
  if (!dark) return '';
  const palette = menuPalette(dark);
  const rule = rootRule(palette.scheme, colorsOf(palette));
  return `@media screen and (prefers-color-scheme: dark) {\n${rule}}\n`;
}

/** The restaurant and its theme. */
export function readSettingsAndTheme({ head }: Pick<Restaurant, 'head'>) {
  const settings: Settings = JSON.parse(head.settings);
  const theme: Theme = JSON.parse(head.theme);
  return { settings, theme };
}
