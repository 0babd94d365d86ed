import type { Theme } from '../../db/schema/theme.ts';
import { fontStack } from './font-family.ts';
import { menuPalette } from './menu-palette.ts';
import { fontFaces } from './own-fonts.ts';
import { themeCss } from './theme-css.ts';

/** The variables that the stylesheets of the menu's page build on. */
export function menuCss(theme: Theme): string {
  const css = themeCss(theme, {
    palette: menuPalette(theme),
    maxRadius: '1.25rem',
    variables: { font: fontStack(theme.font_family) },
  });
  return fontFaces(theme) + css;
}
