import { createHash, randomBytes } from 'node:crypto';

/** Hexadecimal digits that name a history. */
const EPOCH_LENGTH = 12;

/** Names the history of the database. Within an epoch, the versions of a menu only grow. */
export interface Epoch {
  current(): string;
  /** Ends the epoch: a version went back although Postgres does not tell of another history. */
  end(): void;
}

/** @param history what Postgres tells of its history; null when it tells nothing */
export function createEpoch(history: () => string | null): Epoch {
  let part = '';
  let digested: string | null = null;
  let name = '';
  return {
    current: (): string => {
      const known = history();
      if (name === '' || known !== digested) {
        digested = known;
        part = '';
        const digest = createHash('sha256').update(known ?? '');
        name = digest.digest('hex').slice(0, EPOCH_LENGTH);
      }
      return name + part;
    },
    end: () => {
      part = `.${randomBytes(EPOCH_LENGTH / 2).toString('hex')}`;
    },
  };
}
