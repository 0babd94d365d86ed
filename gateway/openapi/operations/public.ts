import type * as v from 'valibot';
import { allergensQuerySchema } from '../../parameters/allergens.ts';
import { itemsQuerySchema } from '../../parameters/items.ts';
import { publicExamples } from '../examples.ts';
import { answer, audienceHeaders, failures } from '../failures.ts';
import { always, type Headers, sometimes } from '../headers.ts';
import { parameter, queryParameters } from '../parameters.ts';
import { JSON_TYPE, type Operation, type Paths, type Response, responseRef } from '../parts.ts';

const READ = always(...audienceHeaders('Public'), 'ETag');
/** Of what is held compressed, too; all else comes as it is. */
const ENCODED = { ...READ, ...sometimes('Vary', 'Content-Encoding') };

/** The answers that operations of the public API share. */
export function publicResponses(): Record<string, Response> {
  return {
    NotModified: {
      description: 'The client’s copy is still good.',
      headers: { ...READ, ...sometimes('Vary') },
    },
  };
}

/** What a read of the public API is, beside what all of them are. */
interface Read {
  id: string;
  summary: string;
  description?: string;
  tag?: string;
  path?: Parameters<typeof parameter>[0];
  query?: v.GenericSchema;
  success: Response;
}

function read({ id, summary, description, tag = 'Menu', path, query, success }: Read): Operation {
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: [],
    parameters: [
      ...(path ? [parameter(path)] : []),
      ...(query ? queryParameters(query) : []),
      parameter('IfNoneMatch'),
    ],
    responses: {
      200: success,
      304: responseRef('NotModified'),
      ...failures('Public', ...(query === itemsQuerySchema ? [414, 422] : [])),
    },
  };
}

function found(
  description: string,
  schema: keyof typeof publicExamples,
  headers: Headers = READ,
): Response {
  return answer(description, schema, publicExamples[schema], headers);
}

const FALLBACK =
  'A text that lacks a translation comes in Italian, else in the restaurant’s language, else in any.';

/** `GET /openapi.json` describes itself, too. */
const document: Operation = read({
  id: 'getDocument',
  summary: 'This document',
  description: 'The only JSON without the envelope.',
  tag: 'Document',
  success: {
    description: 'An OpenAPI 3.1 document.',
    headers: ENCODED,
    content: {
      [JSON_TYPE]: {
        schema: {
          type: 'object',
          properties: {
            openapi: { type: 'string', const: '3.1.0' },
            info: { type: 'object' },
            paths: { type: 'object' },
            components: { type: 'object' },
          },
          required: ['openapi', 'info', 'paths', 'components'],
          additionalProperties: true,
        },
      },
    },
  },
});

/** The endpoints that need no token (SPEC, "Public endpoints"). */
export function publicPaths(): Paths {
  const menu = found('Settings, theme and sections with their dishes.', 'MenuAnswer', ENCODED);
  const item = found('The dish.', 'ItemAnswer');
  return {
    '/menu': {
      get: read({
        id: 'getMenu',
        summary: 'The whole menu in the restaurant’s language',
        description: `Sections stand one after the other, each before its sub-sections, wines last. ${FALLBACK}`,
        success: menu,
      }),
    },
    '/menu/{locale}': {
      get: read({
        id: 'getMenuInLocale',
        summary: 'The whole menu in a language',
        description: FALLBACK,
        path: 'Locale',
        success: menu,
      }),
    },
    '/categories': {
      get: read({
        id: 'listCategories',
        summary: 'Sections with their dishes, sub-categories and sub-sections',
        success: found('The top-level sections, in order.', 'CategoriesAnswer', ENCODED),
      }),
    },
    '/categories/{id}': {
      get: read({
        id: 'getCategory',
        summary: 'One section',
        path: 'Id',
        success: found('The section.', 'CategoryAnswer'),
      }),
    },
    '/items': {
      get: read({
        id: 'listItems',
        summary: 'Dishes and wines, filtered, searched and paged',
        description: 'In the order of the menu.',
        query: itemsQuerySchema,
        success: found('A page of dishes.', 'ItemsAnswer'),
      }),
    },
    '/items/{id}': {
      get: read({ id: 'getItem', summary: 'One dish or wine', path: 'Id', success: item }),
    },
    '/restaurant': {
      get: read({
        id: 'getRestaurant',
        summary: 'The restaurant',
        success: found('Its settings.', 'RestaurantAnswer'),
      }),
    },
    '/theme': {
      get: read({
        id: 'getTheme',
        summary: 'How the menu looks',
        success: found('Colours, font and layout.', 'ThemeAnswer'),
      }),
    },
    '/allergens': {
      get: read({
        id: 'listAllergens',
        summary: 'The dictionary of the 14 allergens',
        query: allergensQuerySchema,
        success: found('All of them, always in the same order.', 'AllergensAnswer'),
      }),
    },
    '/openapi.json': { get: document },
  };
}
