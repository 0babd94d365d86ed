import { createHash, randomBytes } from 'node:crypto';

/** Hexadecimal digits that name a history. */
const EPOCH_LENGTH = 12;

/** Names the history of the database and of a restaurant in it: within it, versions only grow. */
export interface Epoch {
  /** That of a tenant: another one may take its slug over, with other versions. */
  of(tenantId: number): string;
  /** Ends the epoch: a version went back although Postgres does not tell of another history. */
  end(): void;
}

/** @param history what Postgres tells of its history; null when it tells nothing */
export function createEpoch(history: () => string | null): Epoch {
  let part = '';
  let named = history();
  return {
    of: (tenantId): string => {
      const known = history();
      if (known !== named) {
        named = known;
        part = '';
      }
      const digest = createHash('sha256').update(`${known ?? ''}/${tenantId}`);
      return digest.digest('hex').slice(0, EPOCH_LENGTH) + part;
    },
    end: () => {
      part = `.${randomBytes(EPOCH_LENGTH / 2).toString('hex')}`;
    },
  };
}
