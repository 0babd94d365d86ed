import { shownField } from './shown-field.ts';

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
