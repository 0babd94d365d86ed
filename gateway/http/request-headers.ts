import { randomBytes } from 'node:crypto';

/**
 * Headers that say where a request ends, which host it is for, which client sends it and whether it is
 * a repeat. A client that sends one of them twice may want a proxy and Lavagna to read it differently.
 */
const SINGULAR = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'authorization',
  'idempotency-key',
]);

/** Headers that are lists, which may come on several lines (RFC 9110, 5.3). */
const LISTS = new Set(['prefer', 'if-match']);

/** Calls back with every header, its name in lower case. */
type EachHeader = (take: (name: string, value: string) => void) => void;

/**
 * All headers by name, of a repeated one the last unless it is a list; null when they can be read in
 * two ways.
 */
export function readHeaders(forEach: EachHeader): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>();
  let isAmbiguous = false;
  forEach((name, value) => {
    const earlier = headers.get(name);
    if (earlier !== undefined && SINGULAR.has(name)) isAmbiguous = true;
    headers.set(name, earlier !== undefined && LISTS.has(name) ? `${earlier}, ${value}` : value);
  });
  // The HTTP library takes whatever it finds there for chunks.
  const encoding = headers.get('transfer-encoding');
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked') isAmbiguous = true;
  // A trailer follows the chunks, and the library takes it for the next request.
  if (headers.has('trailer')) isAmbiguous = true;
  return isAmbiguous ? null : headers;
}

/** Ids that clients may choose: they stand in logs and headers. */
const SANE = /^[\w.:/+=@-]{1,128}$/;
/** The beginning of ids that this process gives, different each time. */
const newIdPart = (): string => randomBytes(6).toString('base64url');
const ownPart = newIdPart();
let count = 0;

/** The id of a request: the one that its client has sent when it is sane, else a new one. */
export function requestId(sent: string): string {
  if (sent !== '' && SANE.test(sent)) return sent;
  count += 1;
  return `${ownPart}-${count.toString(36)}`;
}

const ZERO = 48;
const NINE = 57;
const A = 97;
const Z = 122;
/** Of the number in an id: enough for a million answers a second over a thousand years. */
const ID_DIGITS = 10;

/** Adds one to a number of base 36 whose last digit stands there. */
function countUp(bytes: Buffer, last: number): void {
  for (let index = last; ; index -= 1) {
    const digit = bytes[index] as number;
    bytes[index] = digit === NINE ? A : digit === Z ? ZERO : digit + 1;
    if (digit !== Z) return;
  }
}

/** An id of its own for each answer that lies ready, always in the same bytes. */
export function createReadyId() {
  const text = `${newIdPart()}-${'0'.repeat(ID_DIGITS)}`;
  return {
    text,
    /** Makes the next one of bytes that begin with `text`. */
    renew: (bytes: Buffer) => countUp(bytes, text.length - 1),
  };
}
