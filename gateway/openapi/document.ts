import { constants } from '../../db/runtime/constants.ts';
import type { DescribedRoute } from './description.ts';
import { makeFailures, securitySchemes } from './failures.ts';
import { makeHeaders } from './headers.ts';
import { describeMessages } from './messages.ts';
import { describePaths, routeSchemas, sharedResponses } from './operations.ts';
import { parameterComponents } from './parameters.ts';
import { makeSchemas } from './schemas.ts';

const LONGEST_MENU = `${constants.maxMenuLength / 1_048_576} MiB`;

const DESCRIPTION = `
Publishes the menu of a restaurant. Each restaurant is a host of its own, below which this API is
found; its data and tokens are good there and nowhere else.

**Reads** need no token. HEAD works wherever GET does, a trailing slash is tolerated, and OPTIONS
is answered with 204 and \`Allow\`. Every public read has an \`ETag\`, and so has every stored record; ask
again with \`If-None-Match\` and get 304 while nothing has changed. \`/menu\`, \`/categories\` and
\`/openapi.json\` come in gzip or brotli to those who accept them.

**Writes** need a token with the scope \`menu:write\`. The answer comes when the gateway that gives
it shows what was written, or with 202 when that takes too long; other gateways follow within a
moment. A write that was answered 2xx is committed. A restaurant’s records, a winery once more with
each of its wines, have at most ${LONGEST_MENU} as JSON: what would make them longer is 422 with
\`menu\`.

**Limits** count requests in windows of a minute, for each restaurant and client address; a
refused request is not counted. \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` are part of
every answer of a restaurant but 400.

**Bodies** have at most ${constants.maxBodyBytes / 1_048_576} MiB, those of \`/admin/bulk\` and \`/admin/import\` ${constants.maxDocumentBytes / 1_048_576} MiB,
and photos ${constants.maxPhotoBytes / 1_048_576} MiB; longer ones are 413.

**Refusals** come in this order: 400, unknown host, 429, unknown path or method, 401, 403, 422, and
then what the write itself came to. Messages about fields are Italian.
`.trim();

const TAGS = [
  { name: 'Menu', description: 'What guests see. 120 requests a minute unless set otherwise.' },
  { name: 'Records', description: 'What the restaurant writes. 30 requests a minute.' },
  { name: 'People', description: 'Who may sign in to the panel: 30 requests a minute.' },
  { name: 'Hosts', description: 'The restaurant’s own host names: 30 requests a minute.' },
  { name: 'Releases', description: 'Changes of the menu that wait for a moment.' },
  { name: 'Chain', description: 'One menu for many restaurants: 30 requests a minute.' },
  { name: 'Webhooks', description: 'Messages to other programs when the menu changes.' },
  { name: 'Screens', description: 'What hangs on walls: 30 requests a minute.' },
  { name: 'Analytics', description: 'What guests do: 300 requests a minute; and reports on it.' },
  { name: 'Document', description: 'The description of the API.' },
];

/** Generators want an absolute address, and each restaurant has its own host. */
const SERVER = {
  url: '{scheme}://{host}/api/v1',
  description: 'The restaurant whose host is asked.',
  variables: {
    scheme: { default: 'https', enum: ['https', 'http'] },
    host: { default: 'osteria.menu.example', description: 'The host of the restaurant.' },
  },
};

/**
 * The OpenAPI 3.1 document of the whole API, made from the declarations of its routes. It is the same
 * for every restaurant: its server has the host as a variable.
 */
export function makeDocument(routes: readonly DescribedRoute[]) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Restaurant Menu Service',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [SERVER],
    tags: TAGS,
    paths: describePaths(routes),
    webhooks: describeMessages(),
    components: {
      schemas: makeSchemas(routeSchemas(routes)),
      headers: makeHeaders(),
      parameters: parameterComponents,
      responses: { ...sharedResponses(routes), ...makeFailures() },
      securitySchemes,
    },
  };
}
