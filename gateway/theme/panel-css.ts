import type { Theme } from '../../db/schema/theme.ts';
import { panelPalette } from './panel-palette.ts';
import { themeCss } from './theme-css.ts';

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
