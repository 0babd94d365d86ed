import { type Constants, constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/running.ts';
import { type ClientAddress, type ClientNetwork, clientNetwork } from './client-address.ts';
import { CrowdedError, TooLargeError } from './errors.ts';
import { createShares } from './shares.ts';

/** A request's body on its way. */
export interface ComingBody {
  /**
   * Resolves when all of it has arrived; rejects with TooLargeError when it is longer than is allowed
   * and with CrowdedError when the bodies of the client's requests are, or those of all together.
   */
  whole: Promise<Buffer>;
  /**
   * Drops the body. Resolves when all of it has come, when none came for `lingerTimeout`, or when the
   * client has sent for `maxLinger`.
   */
  rest(): Promise<void>;
  /**
   * Counts bytes that are made of the body, such as unpacked ones, until `drop`.
   *
   * @throws CrowdedError when there is no room for them
   */
  claim(bytes: number): void;
  /** Frees the memory of a body that is stored elsewhere, before its request is answered. */
  free(): void;
  /** The request has been answered: forgets what has come, and what is still to come. */
  drop(): void;
}

/** Calls back with every piece of a body, whose memory is good until the call returns. */
type EachPiece = (take: (piece: ArrayBuffer, isLast: boolean) => void) => void;

export type BodyConstants = Pick<Constants, 'maxBodiesBytesPerClient'>;

const NOTHING = Buffer.alloc(0);
/** The size of the first buffer, in bytes: most bodies are shorter. */
const LEAST_BUFFER = 1_024;

/** Waits for the end of a body that still comes. */
async function linger(ended: Promise<void>, countPieces: () => number): Promise<void> {
  const { lingerTimeout, maxLinger } = constants;
  const bound = performance.now() + maxLinger;
  let before: number;
  do {
    before = countPieces();
    await withTimeout(lingerTimeout, ended, () => undefined);
  } while (countPieces() > before && performance.now() < bound);
}

/**
 * Collects the bodies of requests. A body counts from its first byte to the answer to its request. A
 * client that sends many at a time, slowly, is refused further ones, so that it cannot fill the memory
 * that other clients need.
 */
export function createBodies({
  maxBodiesBytesPerClient,
}: BodyConstants): (client: ClientAddress, maxBytes: number, onData: EachPiece) => ComingBody {
  const memory = createShares<ClientNetwork>(constants.maxBodiesBytes, maxBodiesBytesPerClient);
  return (client, maxBytes, onData) => {
    const network = clientNetwork(client);
    // All in one: a body may come in a million pieces, and each would take hundreds of bytes.
    let buffer = NOTHING;
    let length = 0;
    let isWanted = true;
    let claimed = 0;
    let isAnswered = false;
    const stopTaking = () => {
      if (!isWanted) return;
      isWanted = false;
      memory.give(network, buffer.length);
      buffer = NOTHING;
    };
    const claim = (bytes: number) => {
      // A client that has gone is answered already: what is still made of its body is short-lived.
      if (isAnswered || !memory.take(network, bytes)) throw new CrowdedError();
      claimed += bytes;
    };
    const drop = () => {
      stopTaking();
      isAnswered = true;
      memory.give(network, claimed);
      claimed = 0;
    };
    const free = () => {
      const { buffer: memory } = buffer;
      stopTaking();
      // Others still hold the body: a transfer to nowhere frees its memory all the same.
      if (memory.byteLength > 0) structuredClone(memory, { transfer: [memory] });
    };
    const hasRoom = (needed: number): boolean => {
      if (needed <= buffer.length) return true;
      const larger = Math.max(needed, LEAST_BUFFER, buffer.length * 2);
      const length = Math.min(larger, maxBytes);
      if (!memory.take(network, length - buffer.length)) return false;
      const next = Buffer.allocUnsafeSlow(length);
      buffer.copy(next);
      buffer = next;
      return true;
    };
    let pieces = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const whole = new Promise<Buffer>((resolve, reject) => {
      const refuse = (error: Error) => {
        stopTaking();
        reject(error);
      };
      onData((piece, isLast) => {
        pieces += 1;
        if (isLast) end();
        if (!isWanted) return;
        const needed = length + piece.byteLength;
        if (needed > maxBytes) return refuse(new TooLargeError());
        if (!hasRoom(needed)) return refuse(new CrowdedError());
        buffer.set(new Uint8Array(piece), length);
        length = needed;
        if (isLast) resolve(buffer.subarray(0, length));
      });
    });
    // A request can be refused before anybody looks at its body.
    whole.catch(() => undefined);
    const rest = async () => {
      stopTaking();
      await linger(ended, () => pieces);
    };
    return { whole, rest, drop, claim, free };
  };
}
