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

/** Paths that an answer names at most: a body may hold thousands. */
const MOST_NAMED = 20;

/** The fields of a body that have no meaning here, by their paths, the first ones of many. */
export interface IgnoredFields {
  /** @param prefix of the fields' names, such as `events.3` */
  note(body: object, known: readonly string[], prefix?: string): void;
  paths(): readonly string[];
}

export function createIgnoredFields(): IgnoredFields {
  const paths = new Set<string>();
  return {
    note: (body, known, prefix = '') => {
      for (const field of Object.keys(body)) {
        if (paths.size >= MOST_NAMED) return;
        if (!known.includes(field)) paths.add(shownField(field, prefix));
      }
    },
    paths: () => [...paths],
  };
}
