import { grants, type Scope, scopes } from '../../db/schema/token.ts';
import { sayErrors, summarize } from '../../db/schema/validation/messages.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { always, type HeaderName, type Headers, sometimes } from './headers.ts';
import { jsonContent, type Response, responseRef, type SchemaReference } from './parts.ts';

/** How requests below `/admin` say who sends them (SPEC, "Authentication"). */
export const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<id>|<plain>',
    description:
      'A personal access token of the restaurant, made at `/admin/api-tokens` of its host. The ' +
      'whole value is sent, with the id and the `|`.',
  },
};

/** A token with this scope is needed, or with one that includes it. */
export function requireScope(scope: Scope): Record<string, string[]>[] {
  return scopes.filter((one) => grants([one], scope)).map((one) => ({ token: [one] }));
}

/**
 * Who asks: pages and displays that read and send events, integrators with a token, and those of
 * them who write, whose failures may also be the result of a job.
 */
export type Audience = 'Public' | 'Admin' | 'Write';

const LIMITED: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];
const OPEN: HeaderName[] = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

/** The headers of every answer to an audience. */
export function audienceHeaders(audience: Audience): HeaderName[] {
  return ['Cache-Control', 'X-Request-Id', ...LIMITED, ...(audience === 'Public' ? OPEN : [])];
}

const INVALID = {
  name: [broken('required')],
  'name.it': [broken('required')],
  price: [broken('min', { min: 0 })],
};
const INVALID_QUERY = { limit: [broken('integer')] };

function failure(description: string, message: string, headers: Headers): Response {
  const all = { ...headers, ...sometimes('X-Content-Type-Options') };
  return { description, headers: all, content: jsonContent('Error', { success: false, message }) };
}

/** The branded page comes before the limits, and without a tenant that could allow anything. */
function notFound(audience: Audience, result: HeaderName[]): Response {
  const description =
    'There is no such record, none that guests can see, or no such path. A host that is no ' +
    'restaurant gets the branded page instead, whatever the path.';
  const headers = {
    ...sometimes(...audienceHeaders(audience), ...result),
    ...sometimes('Content-Security-Policy', 'Permissions-Policy', 'Cross-Origin-Opener-Policy'),
    ...sometimes('Vary', 'Content-Language'),
  };
  const response = failure(description, 'Resource not found.', headers);
  const page = { schema: { type: 'string' }, example: '<!doctype html><html lang="it">…</html>' };
  return { ...response, content: { ...response.content, 'text/html': page } };
}

function invalid(audience: Audience, headers: Headers): Response {
  const codes = audience === 'Write' ? INVALID : INVALID_QUERY;
  const errors = sayErrors(codes);
  return {
    description:
      'What was sent breaks rules: the first error and the number of the others, in Italian, and ' +
      'all of them by field. `codes` has the same rules for programs.',
    headers: { ...headers, ...sometimes('X-Content-Type-Options') },
    content: jsonContent('ValidationError', {
      success: false,
      message: summarize(errors),
      errors,
      codes,
    }),
  };
}

function failuresOf(audience: Audience): Record<string, Response> {
  const own = always(...audienceHeaders(audience));
  // A header marks the result of a job.
  const marks: HeaderName[] = audience === 'Write' ? ['X-Job-State'] : [];
  const marked = { ...own, ...sometimes(...marks) };
  const readsBodies = audience !== 'Admin' && {
    413: failure('The body is too long; it is not read to its end.', 'Content Too Large', own),
    415: failure(
      'The body says that it is something else than JSON, such as a form or a patch, or that it is ' +
        'compressed.',
      'Unsupported Media Type',
      { ...own, ...always('Accept') },
    ),
  };
  const needsToken = audience !== 'Public' && {
    401: failure(
      'No token, or one that is unknown, revoked or of another restaurant.',
      'Unauthenticated.',
      { ...own, ...always('WWW-Authenticate') },
    ),
    403: failure('The token lacks the scope.', 'Invalid ability provided.', own),
  };
  return {
    400: failure(
      'Headers say two things about where the request ends, its host or its client, ' +
        'announce a trailer, or a body in chunks where none is read.',
      'Bad Request',
      always('Cache-Control', 'X-Request-Id'),
    ),
    ...needsToken,
    404: notFound(audience, marks),
    405: failure(
      'The path has no such method. This is the answer to the methods that the path does not list.',
      'Method Not Allowed',
      { ...own, ...always('Allow') },
    ),
    ...(needsToken && {
      410: failure('The version is older than what is kept.', 'Gone', marked),
    }),
    ...readsBodies,
    414: failure('The query is longer than any of ours.', 'URI Too Long', own),
    422: invalid(audience, marked),
    429: failure('The client’s limit is used up.', 'Too Many Attempts.', {
      ...own,
      ...always('Retry-After', 'X-RateLimit-Reset'),
    }),
    500: failure('An unexpected error; the log has its cause under `error_id`.', 'Server Error', {
      ...marked,
      ...sometimes('Retry-After'),
    }),
    503: failure('The database or the queue cannot be reached in time.', 'Service Unavailable', {
      ...own,
      ...always('Retry-After'),
    }),
  };
}

const NAMES: Record<string, string> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  410: 'Gone',
  413: 'TooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedType',
  422: 'Invalid',
  429: 'TooManyAttempts',
  500: 'ServerError',
  503: 'Unavailable',
};

/** Everything below `#/components/responses`. */
export function makeFailures(): Record<string, Response> {
  return Object.fromEntries(
    (['Public', 'Admin', 'Write'] as const).flatMap((audience) =>
      Object.entries(failuresOf(audience)).map(([status, response]) => [
        `${audience}${NAMES[status]}`,
        response,
      ]),
    ),
  );
}

/** The statuses with which every operation for an audience may be refused. */
const COMMON: Record<Audience, number[]> = {
  Public: [400, 404, 405, 429, 500, 503],
  Admin: [400, 401, 403, 404, 405, 429, 500, 503],
  Write: [400, 401, 403, 404, 405, 422, 429, 500, 503],
};

/** Refers to the failures of an audience, by status: those of all its operations, and an own few. */
export function failures(
  audience: Audience,
  own: readonly number[],
): Record<string, SchemaReference> {
  const statuses = [...COMMON[audience], ...own];
  return Object.fromEntries(
    statuses.map((status) => [status, responseRef(`${audience}${NAMES[status]}`)]),
  );
}
