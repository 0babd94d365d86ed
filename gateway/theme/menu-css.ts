import type { Locale } from '../../db/schema/locale.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { fontStack } from './font-family.ts';
import { darkTheme, menuPalette } from './menu-palette.ts';
import { fontFaces } from './own-fonts.ts';
import { scriptFontRules } from './script-fonts.ts';
import { paletteCss, themeCss } from './theme-css.ts';

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
