import { LRUCache } from 'lru-cache';
import { constants } from '../../db/runtime/constants.ts';
import type { JoinedBody } from '../http/joined-body.ts';
import { prepareRepresentations, type Representations } from '../http/representations.ts';
import type { LoadedSnapshot } from './loaded-snapshot.ts';

/** What is made of a snapshot for one request. */
export interface Derived {
  /** Quotes included. */
  etag: string;
  pieces: JoinedBody;
}

/**
 * Answers that are joined from a snapshot on demand, remembered within a bound of their own when they
 * are asked for again: searches that nobody repeats would push out those that are, and cost more to
 * keep than to make.
 */
export interface DerivedAnswers {
  /**
   * The answer that `name` stands for within the snapshot, made by `make` when it is not remembered.
   */
  derive(snapshot: LoadedSnapshot, name: string, make: () => Derived): Representations;
  /** Bytes held now. */
  bytes(): number;
}

/** What an entry costs beside its body and its key: the map's own nodes. */
const BYTES_PER_ENTRY = 200;

/** @param maxBytes bound of the memory that the answers take together */
export function createDerivedAnswers(maxBytes: number): DerivedAnswers {
  const cache = new LRUCache<string, Representations>({
    maxSize: maxBytes,
    sizeCalculation: ({ identity, overhead }, key) =>
      (identity.full.body?.length ?? 0) + overhead + key.length * 2 + BYTES_PER_ENTRY,
  });
  /** Entity tags of what was asked for once of late. */
  const asked = new Set<string>();
  return {
    derive: (snapshot, name, make) => {
      const key = `${snapshot.serial}/${name}`;
      const known = cache.get(key);
      if (known) return known;
      const { etag, pieces } = make();
      if (asked.delete(etag)) {
        const resource = prepareRepresentations({ etag, identity: pieces.join() });
        cache.set(key, resource);
        return resource;
      }
      if (asked.size < constants.maxAskedOnce) asked.add(etag);
      else asked.clear();
      return prepareRepresentations({ etag, identity: pieces });
    },
    bytes: () => cache.calculatedSize,
  };
}
