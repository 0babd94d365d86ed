import type { Theme } from '../../db/schema/theme.ts';
import { html } from '../http/html.ts';
import { formatColor, opposite, parseColor } from './color.ts';

/** The first letter or digit of a restaurant’s name, in upper case. */
export function monogram(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•').toUpperCase();
}

/** The restaurant's monogram in its colours, for the browser's tab. */
export function iconSvg(name: string, theme: Pick<Theme, 'primary_color'>): string {
  const ground = parseColor(theme.primary_color);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="${formatColor(ground)}"/>
<text x="16" y="22.5" font-family="Georgia, serif" font-size="19" text-anchor="middle" fill="${formatColor(opposite(ground))}">${monogram(name)}</text>
</svg>`.text;
}
