export type Color = readonly [red: number, green: number, blue: number];

export const BLACK: Color = [0, 0, 0];
export const WHITE: Color = [255, 255, 255];

/** Luminance at which black and white are equally readable on a ground. */
export const MIDDLE = 0.179;

/** How far one step goes when a colour is moved towards another. */
const STEP = 0.04;

/** @param hex `#RRGGBB` */
export function parseColor(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function formatColor(color: Color): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** `from` with that much of `to` in it, from 0 to 1. */
export function mix(from: Color, to: Color, share: number): Color {
  const part = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share);
  return [part(0), part(1), part(2)];
}

/** Relative luminance as WCAG 2 defines it, from 0 (black) to 1 (white). */
export function luminance(color: Color): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = color;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio as WCAG 2 defines it, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const both = [luminance(one), luminance(other)];
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}

/** Moves a colour towards another, no farther than `enough` asks; at the end it is the other. */
export function moveUntil(from: Color, to: Color, enough: (color: Color) => boolean): Color {
  for (let share = 0; share < 1; share += STEP) {
    const color = mix(from, to, share);
    if (enough(color)) return color;
  }
  return to;
}

/** Black or white, whichever is easier to read on all of `backgrounds`; at least 4.58 on one. */
export function opposite(...backgrounds: readonly Color[]): Color {
  const worst = (color: Color) => Math.min(...backgrounds.map((back) => contrast(color, back)));
  return worst(BLACK) >= worst(WHITE) ? BLACK : WHITE;
}

/** The colour, or the nearest tone of it that has the contrast `ratio` to all of `backgrounds`. */
export function readable(color: Color, backgrounds: readonly Color[], ratio: number): Color {
  return moveUntil(color, opposite(...backgrounds), (tone) =>
    backgrounds.every((back) => contrast(tone, back) >= ratio),
  );
}
