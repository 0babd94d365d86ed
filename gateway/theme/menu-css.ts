import type { Settings } from '../../db/schema/settings.ts';
import { FONT_FAMILY, type Theme } from '../../db/schema/theme.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import type { Front } from '../snapshots/loaded-snapshot.ts';
import { darkTheme, menuPalette } from './menu-palette.ts';
import { fontFaces, scriptFontRules } from './own-fonts.ts';
import { paletteCss, themeCss } from './theme-css.ts';

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
  return `@media screen and (prefers-color-scheme: dark) {\n${paletteCss(palette)}}\n`;
}

/** The restaurant and its theme. */
export function readSettingsAndTheme({ head }: Pick<Front, 'head'>) {
  return {
    settings: JSON.parse(head.settings) as Settings,
    theme: JSON.parse(head.theme) as Theme,
  };
}
