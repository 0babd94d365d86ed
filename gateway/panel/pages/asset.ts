import { createHash } from 'node:crypto';
import { type Answer, createAnswer } from '../../http/answer.ts';

/** Something that pages refer to and browsers may keep for good under the address that it has. */
export interface Asset {
  url: string;
  /** @param query of the request: another version's copy of this one must not be kept */
  answer(query: string): Answer;
}

const FOREVER = 'public, max-age=31536000, immutable';

/** @param path of the asset; its address has a digest of the content behind it */
export function createAsset(path: string, type: string, content: string | Buffer): Asset {
  const body = Buffer.from(content);
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const query = `v=${version}`;
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'X-Content-Type-Options': 'nosniff',
  };
  const prepare = (cacheControl: string) => createAnswer('200 OK', cacheControl, headers, body);
  const current = prepare(FOREVER);
  const other = prepare('no-cache');
  return {
    url: `${path}?${query}`,
    answer: (requested) => (requested === query ? current : other),
  };
}
