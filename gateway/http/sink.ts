/** The writing end of an answer that goes on for as long as both sides like. */
export interface Sink {
  /** Sends a piece; false when the client has not yet taken an earlier one. */
  write(piece: string | Buffer): boolean;
  /** Ends the answer; its connection ends with it. */
  end(): void;
  /** Ends the connection at once. */
  cut(): void;
}

/** Called when the head of an answer was sent; returns what to call when the client has left. */
export type OpenStream = (sink: Sink) => () => void;

/**
 * The library ends a chunk when the next one begins, and some clients read a chunk when it has ended.
 * So an empty line, which says nothing, follows each piece, and the piece leaves whole.
 */
const NEXT = '\n';

/** The library's methods for an answer that is not over. */
interface OpenResponse {
  writeHeader(name: string, value: string): unknown;
  write(piece: string | Buffer): boolean;
  cork(work: () => void): unknown;
  end(): unknown;
  close(): unknown;
  onAborted(listener: () => void): unknown;
}

/**
 * Starts an answer that goes on. The library neither ends a silent one nor finds a client that has
 * vanished: the one who opened the stream must end it, and cut it when a piece is not taken.
 *
 * @param mayCarryOn whether the connection may have another request after it
 */
export function startStream(res: OpenResponse, open: OpenStream, mayCarryOn: boolean): void {
  let isOver = false;
  let onLeft: (() => void) | undefined;
  res.onAborted(() => {
    isOver = true;
    onLeft?.();
  });
  // It tells the client to close the connection at the end; the library would announce it too late.
  res.writeHeader('Connection', 'close');
  onLeft = open({
    write: (piece) => {
      let isTaken = true;
      if (!isOver) {
        res.cork(() => {
          res.write(piece);
          isTaken = res.write(NEXT);
        });
      }
      return isTaken;
    },
    end: () => {
      if (isOver) return;
      isOver = true;
      if (mayCarryOn) res.cork(() => res.end());
      else res.close();
    },
    cut: () => {
      if (!isOver) res.close();
    },
  });
}
