import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import type { Once } from '../../db/actions/action.ts';
import { findPlatformScopes } from '../../db/actions/platform-tokens.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { type PlatformScope, platformScopes } from '../../db/schema/platform.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { refuse } from '../../db/schema/validation/invalid-error.ts';
import type { HostCheck } from '../hosts/hosts.ts';
import { unknownHost } from '../hosts/missing-page.ts';
import { type Answer, createAnswer, errorAnswer, jsonAnswer } from '../http/answer.ts';
import { type ClientNetwork, clientSite } from '../http/client-address.ts';
import { ignoringMeta, successBody } from '../http/envelope.ts';
import {
  ForbiddenError,
  NotFoundError,
  tooManyAttempts,
  UnauthenticatedError,
  unavailable,
} from '../http/errors.ts';
import type { Handler, Request } from '../http/exchange.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { PLATFORM_PREFIX } from '../http/path.ts';
import { createMinuteBound } from '../limits/minute-bound.ts';
import { queryParameters } from '../openapi/parameters.ts';
import { JSON_MEDIA_TYPE } from '../openapi/parts.ts';
import { toComponents } from '../openapi/schemas.ts';
import { createFail } from '../pipeline/perform.ts';
import { answeredMethods, createRouter, routedMethod } from '../pipeline/router.ts';
import type { PlatformOperation } from './operation.ts';
import { operate, platformOperations } from './operations.ts';

const DOCUMENT_PATH = `${PLATFORM_PREFIX}openapi.json`;

interface PlatformOptions {
  /** PLATFORM_TOKEN; undefined: only open operations are there. */
  token: string | undefined;
  db: Database;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  isServed: HostCheck;
  now: () => number;
  log: Logger;
  /** LIMIT_PLATFORM: requests a minute of one address. */
  limit: number;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The token of a request; empty without one. */
function tokenOf({ headers }: Request): string {
  const [, given = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? [];
  return given;
}

/**
 * Makes the check of operators' tokens, which gives what one may do. PLATFORM_TOKEN may do everything; its
 * check takes as long for a wrong token as for the right one.
 */
function createGuard(token: string, db: Database) {
  const right = digest(token);
  return async (given: string): Promise<readonly PlatformScope[]> => {
    if (timingSafeEqual(digest(given), right)) return platformScopes;
    const scopes = await findPlatformScopes(db, given).catch(
      unavailable('could not look up tokens of operators'),
    );
    if (!scopes) throw new UnauthenticatedError();
    return scopes;
  };
}

/**
 * Answers the operator's requests about restaurants, at hosts that are no restaurant's. An address has
 * `limit` of them a minute, with or without a token.
 */
export function createPlatform(options: PlatformOptions): Handler {
  const { token, now, log, limit } = options;
  const fail = createFail(log);
  const { db, originOf, domain, isServed } = options;
  const findScopes = createGuard(token ?? '', db);
  const bound = createMinuteBound<ClientNetwork>(limit, constants.maxPanelWindows, now);
  const routes = platformOperations.map((operation) => ({
    ...operation,
    path: `/platform${operation.path}`,
  }));
  const router = createRouter<PlatformOperation>(routes);
  const services = { db, originOf, domain, isServed };
  const isOpen = ({ method, path }: Request) =>
    router.match(path)?.routes.get(routedMethod(method))?.scope === null;

  const perform = async (operation: PlatformOperation, param: string, request: Request) => {
    const body = await request.body;
    const { value, errors } = operation.body
      ? parseJsonBody(request.headers, body)
      : { value: undefined, errors: {} };
    refuse(errors);
    const params = param.split('/');
    const once = operation.method === 'POST' ? onceOf(request, body) : null;
    const done = operate(operation, { ...services, params, query: request.query, once }, value);
    const { status, data, meta, ignored } = await done.catch(
      unavailable('could not reach the restaurants'),
    );
    if (data === undefined) return createAnswer(status, 'no-store', {}, null);
    return jsonAnswer(status, successBody(data, { ...meta, ...ignoringMeta(ignored) }));
  };

  const answer = async (request: Request): Promise<Answer> => {
    const match = router.match(request.path);
    const asked = match?.routes.get(routedMethod(request.method));
    // A proxy asks for each new name of strangers: what is known costs nothing.
    if (match && asked?.scope === null) return perform(asked, match.param, request);
    const wait = bound.take(clientSite(request.client));
    if (wait > 0) return tooManyAttempts(wait);
    const scopes = await findScopes(tokenOf(request));
    if (request.path === DOCUMENT_PATH) {
      return jsonAnswer('200 OK', JSON.stringify(platformDocument()));
    }
    if (!match) throw new NotFoundError();
    if (asked?.scope) {
      if (!scopes.includes(asked.scope)) throw new ForbiddenError();
      return perform(asked, match.param, request);
    }
    const Allow = answeredMethods(match.routes).join(', ');
    return errorAnswer('405 Method Not Allowed', 'Method Not Allowed', { Allow });
  };

  const patternOf = ({ path, method }: Request) =>
    router.match(path)?.routes.get(routedMethod(method))?.path ?? PLATFORM_PREFIX;

  return async (request) => {
    const route = PLATFORM_PREFIX;
    if (token === undefined && !isOpen(request)) return unknownHost(request);
    try {
      return { answer: await answer(request), route, limitHead: null };
    } catch (error) {
      return { answer: fail(error, request, patternOf(request)), route, limitHead: null };
    }
  };
}

/** The client's name for a request, or null. @throws InvalidError */
function onceOf(request: Request, body: Buffer): Once | null {
  const { headers, method, path, query } = request;
  const key = readIdempotencyKey(headers);
  if (key === null) return null;
  const asked = Buffer.from(`${method} ${path}?${query}\n`);
  return { key, credential: tokenOf(request), request: Buffer.concat([asked, body]) };
}

const PARAMETER = /:(\w+)/g;

function failure(description: string) {
  return { description, content: { [JSON_MEDIA_TYPE]: { schema: { type: 'object' } } } };
}

const KEY = {
  ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
  description: 'The client’s name for the request, under which it is done once in 24 hours.',
};

function operationOf(operation: PlatformOperation) {
  const { id, summary, path, method, query, body, scope, isMany = false } = operation;
  const inPath = [...path.matchAll(PARAMETER)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const named = method === 'POST' ? [KEY] : [];
  const parameters = [...inPath, ...(query ? queryParameters(query) : []), ...named];
  const schema = body && (toComponents({ body }, 'input').body as JsonSchema);
  const done = { description: 'Done: `data` has what it is about.' };
  const status =
    method === 'POST' && !isMany
      ? '201'
      : method === 'DELETE' && id !== 'deleteRestaurant'
        ? '204'
        : '200';
  return {
    operationId: id,
    summary,
    ...(scope === null ? { security: [] } : { description: `Needs the scope \`${scope}\`.` }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema && { requestBody: { required: true, content: { [JSON_MEDIA_TYPE]: { schema } } } }),
    responses: {
      [status]: done,
      401: failure('No token, or one that is unknown, revoked or expired.'),
      403: failure('The token lacks the scope.'),
      404: failure('There is no such restaurant, user or token.'),
      422: failure('What was sent breaks rules: `errors` and `codes` by field.'),
      429: failure('The address has sent too many requests: see `Retry-After`.'),
    },
  };
}

/** The OpenAPI 3.1 document of the platform's API, made from the declarations of its operations. */
function platformDocument() {
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
