/** The result of one check of the installation. */
export interface Check {
  /** The part that was checked, such as `database`. */
  name: string;
  /** `doubtful` works but deserves a look; `bad` does not work. */
  state: 'good' | 'doubtful' | 'bad';
  found: string;
  /** The remedy; null when all is well. */
  advice: string | null;
}

export function good(name: string, found: string): Check {
  return { name, state: 'good', found, advice: null };
}

export function doubtful(name: string, found: string, advice: string): Check {
  return { name, state: 'doubtful', found, advice };
}

export function bad(name: string, found: string, advice: string): Check {
  return { name, state: 'bad', found, advice };
}
