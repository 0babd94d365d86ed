import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { toComponents } from '../openapi/json-schema.ts';
import { queryParameters } from '../openapi/parameters.ts';
import { JSON_MEDIA_TYPE } from '../openapi/parts.ts';
import type { PlatformOperation } from './operation.ts';
import { platformOperations } from './operations.ts';

const PARAMETER = /:(\w+)/g;

function failure(description: string) {
  return { description, content: { [JSON_MEDIA_TYPE]: { schema: { type: 'object' } } } };
}

function operationOf({ id, summary, path, method, query, body, isOpen }: PlatformOperation) {
  const inPath = [...path.matchAll(PARAMETER)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const parameters = [...inPath, ...(query ? queryParameters(query) : [])];
  const schema = body && (toComponents({ body }, 'input').body as JsonSchema);
  const done = { description: 'Done: `data` has what it is about.' };
  const status =
    method === 'POST' ? '201' : method === 'DELETE' && id !== 'deleteRestaurant' ? '204' : '200';
  return {
    operationId: id,
    summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema && { requestBody: { required: true, content: { [JSON_MEDIA_TYPE]: { schema } } } }),
    responses: {
      [status]: done,
      401: failure('No token, or another one than `PLATFORM_TOKEN`.'),
      404: failure('There is no such restaurant, user or token.'),
      422: failure('What was sent breaks rules: `errors` and `codes` by field.'),
      429: failure('The address has sent too many requests: see `Retry-After`.'),
    },
  };
}

/** The OpenAPI 3.1 document of the platform's API, made from the declarations of its operations. */
export function platformDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of platformOperations) {
    const path = operation.path.replace(PARAMETER, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lavagna, for its operator', version: '1.0.0' },
    servers: [
      {
        url: '{scheme}://{host}/platform',
        variables: {
          scheme: { default: 'https', enum: ['https', 'http'] },
          host: { default: 'menu.example', description: 'DOMAIN itself.' },
        },
      },
    ],
    security: [{ operator: [] }],
    paths,
    components: { securitySchemes: { operator: { type: 'http', scheme: 'bearer' } } },
  };
}
