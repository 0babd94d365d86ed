import { bounds } from '../../db/bounds.ts';
import { CrowdedError, TooLargeError } from '../errors.ts';

/** A request's body on its way. */
export interface ComingBody {
  /**
   * Resolves when all of it has arrived; rejects with TooLargeError when it is longer than is allowed
   * and with CrowdedError when the bodies of all requests together are.
   */
  whole: Promise<Buffer>;
  /** The request has been answered: forgets what has come, and what is still to come. */
  drop(): void;
}

/** Calls back with every piece of a body, whose memory is good until the call returns. */
type EachPiece = (take: (piece: ArrayBuffer, isLast: boolean) => void) => void;

/**
 * Collects the bodies of requests. A body counts from its first byte to the answer to its request:
 * whoever sends many at a time, slowly, is refused further ones instead of filling the memory.
 */
export function createBodies(): (onData: EachPiece) => ComingBody {
  let held = 0;
  return (onData) => {
    let pieces: Buffer[] = [];
    let length = 0;
    let isWanted = true;
    const drop = () => {
      if (!isWanted) return;
      isWanted = false;
      held -= length;
      pieces = [];
    };
    const whole = new Promise<Buffer>((resolve, reject) => {
      onData((piece, isLast) => {
        if (!isWanted) return;
        length += piece.byteLength;
        held += piece.byteLength;
        if (length > bounds.maxBodyBytes || held > bounds.maxBodiesBytes) {
          const isTooLarge = length > bounds.maxBodyBytes;
          drop();
          reject(isTooLarge ? new TooLargeError() : new CrowdedError());
          return;
        }
        pieces.push(Buffer.from(piece.slice(0)));
        if (isLast) resolve(Buffer.concat(pieces));
      });
    });
    // A request can be refused before anybody looks at its body.
    whole.catch(() => undefined);
    return { whole, drop };
  };
}
