const GENERIC = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui', 'ui-serif']);
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u;

/**
 * A theme's `font_family` as a value for a stylesheet: only names get through, each quoted anew,
 * and a generic family stands at the end.
 */
export function fontStack(fontFamily: string): string {
  const names = fontFamily
    .split(',')
    .map((name) => name.trim().replace(/^(['"])(.*)\1$/, '$2'))
    .filter((name) => NAME.test(name));
  const isGeneric = (name: string) => GENERIC.has(name.toLowerCase());
  if (!names.some(isGeneric)) names.push('system-ui', 'sans-serif');
  return names.map((name) => (isGeneric(name) ? name.toLowerCase() : `'${name}'`)).join(', ');
}
