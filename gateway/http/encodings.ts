import Negotiator from 'negotiator';
import { constants } from '../../db/runtime/constants.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Clients with a longer header, in characters, get the plain bytes. */
const MAX_LENGTH = 256;
const encodings = new Map<string, Encoding>();

/** In the order in which they are chosen where the client has no preference. */
const AVAILABLE = ['br', 'gzip', 'x-gzip', 'identity'];

/** A weight that is no number is ignored. */
const BAD_WEIGHT = /;\s*q=(?![\d.])[^,]*/gi;

function negotiate(header: string): Encoding {
  const headers = { 'accept-encoding': header.replace(BAD_WEIGHT, '') };
  const negotiator = new Negotiator({ headers });
  const encoding = negotiator.encoding(AVAILABLE, { preferred: AVAILABLE });
  if (encoding === 'br') return 'br';
  return encoding === 'gzip' || encoding === 'x-gzip' ? 'gzip' : 'identity';
}

/**
 * The encoding that a client prefers among those that snapshots hold (RFC 9110, 12.5.3); brotli
 * before gzip where the client does not mind. A client that refuses every one of them gets the
 * plain bytes: an answer that can be read is better than 406.
 */
export function preferredEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === '' || acceptEncoding.length > MAX_LENGTH) return 'identity';
  const known = encodings.get(acceptEncoding);
  if (known !== undefined) return known;
  if (encodings.size >= constants.maxRememberedEncodings) encodings.clear();
  const encoding = negotiate(acceptEncoding);
  encodings.set(acceptEncoding, encoding);
  return encoding;
}
