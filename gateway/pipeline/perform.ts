import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Answer, createAnswer, errorAnswer } from '../http/answer.ts';
import { failureAnswer, isFault, NOT_FOUND } from '../http/failures.ts';
import { type Representations, selectAnswer } from '../http/representations.ts';
import type { Request } from '../http/server.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { Authenticator } from './authenticate.ts';
import { NotFoundError } from './errors.ts';
import { guard } from './guard.ts';
import type { CallRoute, FinishedRoute, GuardedRoute } from './route.ts';
import { answeredMethods } from './router.ts';
import type { Target } from './targets.ts';

export interface PerformOptions<S> {
  /** What handlers may use. */
  services: S;
  authenticator: Authenticator;
  constants: Pick<Constants, 'tokenFreshness'>;
  log: Logger;
}

/** How long a browser may remember that it may ask, in seconds. */
const PREFLIGHT_AGE = 86_400;

export function methodNotAllowed(allow: string): Answer {
  return errorAnswer('405 Method Not Allowed', 'Method Not Allowed', { Allow: allow });
}

/** For a method that no route has: what is allowed, and to browsers on which terms. */
function answerOtherMethod<S>({ routes, limiter }: Target<S>, method: string): Answer {
  const allow = [...answeredMethods(routes), 'OPTIONS'].join(', ');
  if (method !== 'options') return methodNotAllowed(allow);
  const preflight = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
    'Access-Control-Max-Age': String(PREFLIGHT_AGE),
  };
  const headers = { Allow: allow, ...(limiter !== 'admin' && preflight) };
  return createAnswer('204 No Content', 'no-store', headers, null);
}

function readFinished({ body }: FinishedRoute, snapshot: LoadedSnapshot): Representations {
  const resource = snapshot.served().resources[body];
  if (!resource) throw new NotFoundError();
  return resource;
}

/** Answers with an error, of which the operator reads when it is a fault of ours. */
export function createFail(log: Logger) {
  return (error: unknown, { path }: Request): Answer => {
    if (isFault(error)) log.error({ err: error, path }, 'a request failed');
    return failureAnswer(error);
  };
}

/** The last steps of an admitted request: its route, its token, its handler. */
export function createPerform<S>(options: PerformOptions<S>) {
  const { services, authenticator, constants, log } = options;
  const fail = createFail(log);

  const call = async (
    route: CallRoute<S> | GuardedRoute<S>,
    request: Request,
    snapshot: LoadedSnapshot,
    param: string,
  ): Promise<Answer> => {
    const context = { ...request, tenant: snapshot.tenant, param };
    try {
      if (route.kind === 'call') return await route.call(context, services);
      const token = await guard(context, route.scope, authenticator, constants);
      return await route.call({ ...context, token }, services);
    } catch (error) {
      return fail(error, request);
    }
  };

  return (
    target: Target<S>,
    request: Request,
    snapshot: LoadedSnapshot,
  ): Answer | Promise<Answer> => {
    const { route, param } = target;
    if (!route) {
      return target.routes.size > 0 ? answerOtherMethod(target, request.method) : NOT_FOUND;
    }
    if (route.kind === 'call' || route.kind === 'guarded') {
      return call(route, request, snapshot, param);
    }
    try {
      const resource =
        route.kind === 'finished'
          ? readFinished(route, snapshot)
          : route.read({ snapshot, param, query: request.query }, services);
      const answer = selectAnswer(resource, request);
      return 'then' in answer ? answer.catch((error) => fail(error, request)) : answer;
    } catch (error) {
      return fail(error, request);
    }
  };
}
