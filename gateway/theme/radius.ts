import { CSS_LENGTH, type Theme } from '../../db/schema/theme.ts';

/**
 * The theme's rounding as a value for a stylesheet, not above `max`. An old value that is no length
 * gives the default.
 */
export function cornerRadius({ border_radius }: Theme, max: string): string {
  const length = CSS_LENGTH.test(border_radius) ? border_radius : '8px';
  // Among lengths, `min` takes no number, zero neither.
  return `min(${length === '0' ? '0px' : length}, ${max})`;
}
