import { FONT_FAMILY } from '../../db/schema/theme.ts';

const GENERIC = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui', 'ui-serif']);

/**
 * A theme's `font_family` as a value for a stylesheet: names are quoted, names that the API would
 * refuse today are left out, and a generic family stands at the end.
 */
export function fontStack(fontFamily: string): string {
  const names = fontFamily
    .split(',')
    .map((name) => name.replace(/['"]/g, '').trim())
    .filter((name) => FONT_FAMILY.test(name));
  const isGeneric = (name: string) => GENERIC.has(name.toLowerCase());
  if (!names.some(isGeneric)) names.push('system-ui', 'sans-serif');
  return names.map((name) => (isGeneric(name) ? name.toLowerCase() : `'${name}'`)).join(', ');
}
