import { CSS_LENGTH, type Theme } from '../../db/schema/theme.ts';
import { type Color, formatColor } from './color.ts';

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

/** The colours of a palette alone, as a rule. */
export function paletteCss(palette: Palette): string {
  return rootRule(palette.scheme, colorsOf(palette));
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
