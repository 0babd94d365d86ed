import { compress } from '../../db/runtime/compress.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import {
  prepareRepresentations,
  type Representations,
  selectAnswer,
} from '../http/representations.ts';
import type { ApiRoute } from './frame/services.ts';
import { tagged } from './public-read.ts';

async function prepareDocument(routes: readonly ApiRoute[]): Promise<Representations> {
  // Loaded when it is needed: most gateways are never asked, and all would start later.
  const { makeDocument } = await import('../openapi/document.ts');
  const text = JSON.stringify(makeDocument(routes));
  const identity = Buffer.from(text);
  const [gzip, br] = await Promise.all([compress(identity, 'gzip'), compress(identity, 'br')]);
  return prepareRepresentations({ identity, etag: entityTag(text), gzip, br });
}

/** The document describes itself, too. */
const schema = {
  type: 'object',
  properties: {
    openapi: { type: 'string', const: '3.1.0', description: 'The version of OpenAPI.' },
    info: { type: 'object', description: 'What the API is for.' },
    paths: { type: 'object', description: 'Its operations, by path and method.' },
    components: { type: 'object', description: 'What operations refer to.' },
  },
  required: ['openapi', 'info', 'paths', 'components'],
  additionalProperties: true,
};

/**
 * `GET /openapi.json`: the API's own description, one for all restaurants, made once.
 *
 * @param routes those that it describes, itself among them
 */
export function documentRoute(routes: () => readonly ApiRoute[]): ApiRoute {
  const document = memoizeAsync(() => prepareDocument(routes()));
  return {
    kind: 'call',
    method: 'GET',
    path: '/openapi.json',
    limiter: 'public',
    description: {
      id: 'getDocument',
      tag: 'Document',
      summary: 'This document',
      details: 'The only JSON without the envelope.',
      parameters: ['IfNoneMatch'],
      answers: tagged(
        { description: 'An OpenAPI 3.1 document.', content: { 'application/json': { schema } } },
        true,
      ),
    },
    call: async (context) => selectAnswer(await document(), context),
  };
}
