import { hash } from 'node:crypto';

/** A strong entity tag, quotes included, for an answer that is a pure function of `parts`. */
export function entityTag(...parts: readonly string[]): string {
  return `"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 22)}"`;
}
