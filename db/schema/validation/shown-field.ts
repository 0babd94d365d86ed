import { madeSafe } from './safe-text.ts';

const MAX_FIELD_LENGTH = 64;

/**
 * A field's path as answers name it. Its last key may be the client's invention, of any length and with
 * anything in it. The cut may go through a surrogate pair, and strict readers of JSON refuse half of
 * one.
 *
 * @param prefix such as `events.3`
 */
export function shownField(path: string, prefix: string): string {
  const shown = madeSafe(path.slice(0, MAX_FIELD_LENGTH));
  return [prefix, shown].filter(Boolean).join('.');
}
