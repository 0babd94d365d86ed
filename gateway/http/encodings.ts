import { constants } from '../../db/runtime/constants.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Longer ones, in characters, are nobody's: they get the plain bytes. */
const MAX_LENGTH = 256;
const remembered = new Map<string, Encoding>();

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((text) => /^\s*q=([0-9.]+)\s*$/i.exec(text)?.[1]).find(Boolean);
  return weight === undefined ? 1 : Number(weight);
}

function negotiate(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    weights.set(name.trim(), weightOf(parameters));
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const br = weight('br');
  const gzip = Math.max(weight('gzip'), weights.get('x-gzip') ?? 0);
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return 'identity';
}

/**
 * The encoding that a client prefers among those that snapshots hold (RFC 9110, 12.5.3); brotli
 * before gzip where the client does not mind. A client that refuses every one of them gets the
 * plain bytes: an answer that can be read is better than 406.
 */
export function preferredEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === '' || acceptEncoding.length > MAX_LENGTH) return 'identity';
  const known = remembered.get(acceptEncoding);
  if (known !== undefined) return known;
  if (remembered.size >= constants.maxRememberedEncodings) remembered.clear();
  const encoding = negotiate(acceptEncoding);
  remembered.set(acceptEncoding, encoding);
  return encoding;
}
