import type { Theme } from '../../db/schema/theme.ts';
import { html } from '../http/html.ts';
import { writePng } from '../http/png.ts';
import { formatColor, mix, opposite, parseColor } from './color.ts';

/** Widths of the icons on home screens, in pixels: iPhones take the first, Androids the others. */
export const TOUCH_ICON_SIZES = [180, 192, 512] as const;

/** The rings of a plate: their outer edge and their width, as parts of the icon's width. */
const RINGS = [
  [0.34, 0.036],
  [0.24, 0.018],
] as const;

/** Tones from the ground to the ink. */
const TONES = 16;

/** How much of a pixel at a distance from the middle lies within a ring, from 0 to 1. */
function shareOf(distance: number, outer: number, width: number): number {
  const inside = Math.min(1, Math.max(0, outer - distance + 0.5));
  const outside = Math.min(1, Math.max(0, distance - outer + width + 0.5));
  return inside * outside;
}

/** The tones of an icon's pixels, a filter byte before each line. */
function drawRings(size: number): Buffer {
  const stride = size + 1;
  const lines = Buffer.alloc(size * stride);
  const middle = (size - 1) / 2;
  for (const [outer, width] of RINGS) {
    const [least, most] = [(outer - width) * size - 1, outer * size + 1];
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) {
        const square = (x - middle) ** 2 + (y - middle) ** 2;
        if (square < least * least || square > most * most) continue;
        const share = shareOf(Math.sqrt(square), outer * size, width * size);
        lines[y * stride + 1 + x] = Math.round(share * (TONES - 1));
      }
    }
  }
  return lines;
}

/** A plate in the restaurant's colours, as a PNG for home screens. */
export function touchIcon({ primary_color }: Pick<Theme, 'primary_color'>, size: number): Buffer {
  const ground = parseColor(primary_color);
  const ink = opposite(ground);
  const tones = Array.from({ length: TONES }, (_, at) => [...mix(ground, ink, at / (TONES - 1))]);
  return writePng(size, { bits: 8, palette: Buffer.from(tones.flat()) }, drawRings(size));
}

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
