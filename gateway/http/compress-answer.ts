import { compressSoon } from '../../db/runtime/compress.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { Answer } from './answer.ts';
import { preferredEncoding } from './negotiation.ts';
import { encodedTag } from './representations.ts';

const TEXT = /\r\nContent-Type: (application\/json|text\/)/i;
const ENCODED = /\r\nContent-Encoding: /i;

/**
 * An answer that was made for one request, compressed when it is long and the client reads that. Its
 * entity tag names the compressed bytes; `expectedTags` knows the record or the menu by it.
 */
export async function compressed(answer: Answer, { acceptEncoding }: { acceptEncoding: string }) {
  const { head, body } = answer;
  if (!(body instanceof Uint8Array) || body.length < constants.minCompressedBytes) return answer;
  const lines = head.toString('latin1');
  const encoding = preferredEncoding(acceptEncoding);
  if (encoding === 'identity' || !TEXT.test(lines) || ENCODED.test(lines)) return answer;
  const bytes = await compressSoon(body, encoding);
  const tagged = lines.replace(/(\r\nETag: )("[^"]*")/, (_, name, tag) => {
    return `${name}${encodedTag(tag, encoding)}`;
  });
  const more = `\r\nContent-Encoding: ${encoding}\r\nVary: Accept-Encoding`;
  return {
    ...answer,
    head: Buffer.from(tagged + more, 'latin1'),
    body: bytes,
    length: bytes.length,
  };
}
