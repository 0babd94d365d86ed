import type { Theme } from '../../../db/schema/theme.ts';
import { cornerRadius } from '../../look/radius.ts';
import { paletteOf } from './palette.ts';

const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Times New Roman', serif";
const SANS = "'Avenir Next', Avenir, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** The theme's fonts are on other servers; what the panel takes from them is their kind. */
function displayFont(fontFamily: string): string {
  const isSerif = /(?<!sans-)serif|georgia|garamond|times/i.test(fontFamily);
  return isSerif ? SERIF : SANS;
}

/**
 * The restaurant's stylesheet: the variables that `panel.css` builds on. Nothing of the theme gets
 * into it as it stands: colours are computed, lengths must look like one.
 */
export function themeCss(theme: Theme): string {
  const { scheme, colors } = paletteOf(theme);
  const lines = [
    `color-scheme: ${scheme};`,
    ...Object.entries(colors).map(([name, color]) => `--${name}: ${color};`),
    `--radius: ${cornerRadius(theme, '0.875rem')};`,
    `--display: ${displayFont(theme.font_family)};`,
  ];
  return `:root {\n  ${lines.join('\n  ')}\n}\n`;
}
