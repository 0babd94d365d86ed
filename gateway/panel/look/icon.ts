import { html } from '../../look/html.ts';
import { paletteOf, type ThemeColors } from './palette.ts';

/** The first letter or digit of a restaurant’s name, in upper case. */
export function monogram(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•').toUpperCase();
}

/** The restaurant's monogram in its colours, for the browser's tab. */
export function iconSvg(name: string, theme: ThemeColors): string {
  const { masthead, onMasthead } = paletteOf(theme);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="${masthead}"/>
<text x="16" y="22.5" font-family="Georgia, serif" font-size="19" text-anchor="middle" fill="${onMasthead}">${monogram(name)}</text>
</svg>`.text;
}
