import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import {
  prepareRepresentations,
  type Representations,
  selectAnswer,
} from '../http/representations.ts';
import { memoizeAsync } from '../memoize-async.ts';
import type { CallRoute } from '../pipeline/route.ts';

/** An eighth larger than the best level, and made in a fiftieth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function prepareDocument(): Promise<Representations> {
  // Loaded when it is needed: most gateways are never asked, and all would start later.
  const { makeDocument } = await import('../openapi/document.ts');
  const text = JSON.stringify(makeDocument());
  const identity = Buffer.from(text);
  const [zipped, br] = await Promise.all([
    promisify(gzip)(identity),
    promisify(brotliCompress)(identity, BROTLI),
  ]);
  return prepareRepresentations({ identity, etag: entityTag(text), gzip: zipped, br });
}

/** `GET /openapi.json`: the API's own description, one for all restaurants, made once. */
export function createDocumentRoute(): CallRoute {
  const document = memoizeAsync(prepareDocument);
  return {
    kind: 'call',
    method: 'GET',
    path: '/openapi.json',
    call: async (context) => selectAnswer(await document(), context),
  };
}
