import { LRUCache } from 'lru-cache';
import { constants } from '../../db/runtime/constants.ts';
import { createMaker } from '../runtime/maker.ts';
import type { JoinedBody } from './joined-body.ts';
import {
  type AnswerForm,
  prepareCompressible,
  prepareRepresentations,
  type Representations,
} from './representations.ts';

/** Answers that were asked for once, in entries; the second request stores the answer. */
const MAX_ASKED_ONCE = 2_000;

/** An answer that is made from a snapshot for one request. */
export interface Derived {
  /** Quotes included. */
  etag: string;
  pieces: JoinedBody;
}

/** The snapshot, and the form of its restaurant's answers. */
interface DerivedFrom {
  serial: number;
  tenant: { cdn: { json: AnswerForm } };
}

export type DerivedAnswers = ReturnType<typeof createDerivedAnswers>;

/** The memory of an entry beside its body and its key: the map's own nodes. */
const BYTES_PER_ENTRY = 200;

function isLong({ length }: { length: number }): boolean {
  return length >= constants.minCompressedBytes;
}

function bytesOf({ identity, gzip, br, overhead }: Representations): number {
  const bodies = [identity, gzip, br].map((variant) => variant?.body?.length ?? 0);
  return bodies.reduce((sum, length) => sum + length, overhead);
}

/**
 * Answers that are joined from a snapshot on demand. A cache with a bound of its own keeps those that
 * are asked for again. A search that is not repeated would evict others, and costs more to keep than
 * to make.
 *
 * @param maxBytes bound of the memory that the answers take together
 */
export function createDerivedAnswers(maxBytes: number) {
  const cache = new LRUCache<string, Representations>({
    maxSize: maxBytes,
    sizeCalculation: (answer, key) => bytesOf(answer) + key.length * 2 + BYTES_PER_ENTRY,
  });
  /** Entity tags of what was asked for once of late. */
  const asked = new Set<string>();
  return {
    /**
     * The answer of this name, which says all that decides it. However many ask for one that is
     * missing, it is made once.
     */
    prepare: createMaker<Representations>(cache),
    /** The answer that `name` stands for within the snapshot, made when it is not remembered. */
    derive: (snapshot: DerivedFrom, name: string, make: () => Derived): Representations => {
      const key = `${snapshot.serial}/${name}`;
      const known = cache.get(key);
      if (known) return known;
      const { etag, pieces } = make();
      const form = snapshot.tenant.cdn.json;
      if (asked.delete(etag)) {
        const identity = pieces.join();
        const resource: Representations = isLong(identity)
          ? prepareCompressible({ etag, identity }, () => cache.set(key, resource), form)
          : prepareRepresentations({ etag, identity }, form);
        cache.set(key, resource);
        return resource;
      }
      if (asked.size < MAX_ASKED_ONCE) asked.add(etag);
      else asked.clear();
      const once = { etag, identity: pieces };
      if (isLong(pieces)) return prepareCompressible(once, () => undefined, form);
      return prepareRepresentations(once, form);
    },
    /** Bytes held now. */
    bytes: () => cache.calculatedSize,
  };
}
