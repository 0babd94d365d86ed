import type * as v from 'valibot';
import { type ActionContext, perform, type RestaurantAction } from '../../../db/actions/action.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import { RIGHTS, type RightsPart } from '../../../db/schema/rights.ts';
import type { Scope } from '../../../db/schema/token.ts';
import { checkInput, type InputSchema } from '../../../db/schema/validation/check-input.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import { isObject } from '../../../db/schema/values/row.ts';
import { type Answer, createAnswer, jsonAnswer } from '../../http/answer.ts';
import {
  ignoringMeta,
  ignoringMetaSchema,
  successBody,
  successSchema,
} from '../../http/envelope.ts';
import { InvalidError, NotFoundError, unavailable } from '../../http/errors.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { pathId } from '../../http/path.ts';
import { ignoredQuery, unknownParameters } from '../../http/query.ts';
import type { DescribedAnswer, DescribedJson, Description } from '../../openapi/description.ts';
import { success } from '../../openapi/schemas.ts';
import type { GuardedContext, GuardedRoute } from '../../pipeline/route.ts';
import type { ApiRoute, Services } from './services.ts';

type Call = (context: GuardedContext, services: Services) => Promise<Answer>;

/** The parts that the endpoints of one kind of record share. */
interface Kind {
  /** The path of the list. */
  path: string;
  tag: Description['tag'];
  part: RightsPart;
  /** Whether its changes are described as writes of the menu; others answer at once. */
  isOfMenu: boolean;
  /** The message of a log when Postgres does not answer. */
  failure: string;
}

type Route = (
  method: ApiRoute['method'],
  below: string,
  description: Omit<Description, 'tag'>,
  call: Call,
) => ApiRoute;
type Said = Pick<Description, 'id' | 'summary' | 'details'>;
type OfAll<T> = (db: Database, tenantId: number) => Promise<readonly T[]>;
type OfOne<T> = (db: Database, tenantId: number, id: number) => Promise<T>;
/** Work on one record, and its result: null without such a record, true for 204. */
type Deed<T, S extends InputSchema> = (
  id: number,
  context: GuardedContext,
  services: Services,
  input: v.InferOutput<S>,
) => Promise<T | null>;
type OneDescription<S> = Omit<Description, 'tag' | 'body'> & {
  body?: { name: string; schema: S; example: unknown };
};
const NOTHING_SENT = { input: {}, ignored: [] };
const asItIs = (one: unknown) => one;
/** A record as answers have it. */
type Show<T> = (one: T, context: GuardedContext, services: Services) => unknown;

/** An endpoint that makes a record: the action, and what is sent and answered. */
interface Creation<S extends InputSchema, R> {
  action: RestaurantAction<S, R>;
  body: { name: string; example: unknown };
  answer: DescribedAnswer;
  show?: Show<R>;
  headersOf?(made: R): Record<string, string>;
  /** Runs once the record is made, and not for a repeated request. */
  after?(made: R, context: GuardedContext, services: Services): Promise<void>;
}

/** Makes the functions that declare the endpoints of a kind: any, and those that most kinds have. */
export function createEndpoints({ path, tag, part, isOfMenu, failure }: Kind) {
  const route: Route = (method, below, description, call) =>
    guarded(method, path + below, RIGHTS[part][method === 'GET' ? 'read' : 'write'], {
      description: {
        ...description,
        tag,
        ...(!isOfMenu && { answersWrites: description.body !== undefined }),
      },
      call: (context, services) => call(context, services).catch(unavailable(failure)),
    });
  return {
    route,
    ...endpointsOfOne(route),
    /** Does an action that makes a record, once for each idempotency key. */
    createRoute: <S extends InputSchema, R extends { id: number }>(
      { refusals = [413, 415], ...said }: Said & Pick<Description, 'refusals'>,
      { action, body, answer, show = asItIs, ...more }: Creation<S, R>,
    ) => {
      const description: Omit<Description, 'tag'> = {
        ...said,
        parameters: ['IdempotencyKey'],
        body: { name: body.name, schema: action.input, example: body.example },
        answers: { 201: answer },
        refusals,
      };
      return route('POST', '', description, async (context, services) => {
        const { input, ignored } = await readBody(action.input, context);
        const asked = await tokenContext(context, services);
        const { result, isRepeated } = await perform(action, asked, input);
        const shown = show(result, context, services);
        if (!isRepeated) await more.after?.(result, context, services);
        const isNamed = answer.headers?.includes('Location');
        const location = isNamed && { Location: `/api/v1${path}/${result.id}` };
        const headers = { ...location, ...more.headersOf?.(result) };
        return dataAnswer(shown, ignored, { status: '201 Created', headers });
      });
    },
    listRoute: <T>(said: Said, answer: DescribedAnswer, list: OfAll<T>, show: Show<T> = asItIs) => {
      const description = { ...said, answers: { 200: answer }, refusals: [414] as const };
      return route('GET', '', description, async (context, services) => {
        const found = await list(services.db, context.tenant.id);
        const shown = found.map((one) => show(one, context, services));
        return dataAnswer(shown, ignoredQuery(context.query));
      });
    },
  };
}

/** The endpoints for one record, which the path names. */
function endpointsOfOne(route: Route) {
  /** Does something with it; with what was sent, where `description` has a body. */
  const oneRoute = <T, S extends InputSchema>(
    method: ApiRoute['method'],
    below: string,
    { body, refusals = body ? [413, 415] : [], ...said }: OneDescription<S>,
    act: Deed<T, S>,
    show: Show<T> = asItIs,
  ) => {
    const description = { parameters: ['Id'] as const, refusals, ...said, ...(body && { body }) };
    return route(method, `/:id${below}`, description, async (context, services) => {
      const id = pathId(context.param);
      const { input, ignored } = body ? await readBody(body.schema, context) : NOTHING_SENT;
      const done = await act(id, context, services, input);
      if (done === null) throw new NotFoundError();
      if (done === true) return createAnswer('204 No Content', 'no-store', {}, null);
      return dataAnswer(show(done, context, services), ignored);
    });
  };
  return {
    oneRoute,
    showRoute: <T>(said: Said, answer: DescribedAnswer, find: OfOne<T | null>, show?: Show<T>) => {
      const act = ofOne(find);
      return oneRoute('GET', '', { ...said, answers: { 200: answer } }, act, show);
    },
    /** @param gone says that it is */
    deleteRoute: (said: Said, gone: string, act: OfOne<boolean>) =>
      oneRoute('DELETE', '', { ...said, answers: { 204: { description: gone } } }, doing(act)),
  };
}

/** The context of an action that a request asks for. @throws InvalidError */
export async function tokenContext(
  { tenant, token, headers, method, path, body }: GuardedContext,
  { db, domain, now }: Services,
): Promise<ActionContext> {
  const key = readIdempotencyKey(headers);
  const credential = (headers.get('authorization') ?? '').trim().replace(/^\S+ +/, '');
  const request = `${method} ${path}\n${(await body).toString('latin1')}`;
  return {
    ...{ database: db, tenantId: tenant.id, slug: tenant.slug, domain, now: now() },
    actor: { kind: 'token', name: token.name },
    once: key === null ? null : { key, credential, request },
  };
}

/** An endpoint for tokens with this scope, within the limit of admins. */
export function guarded(
  method: ApiRoute['method'],
  path: string,
  scope: Scope,
  rest: Pick<GuardedRoute<Services>, 'orScope' | 'description' | 'call'>,
): ApiRoute {
  return { kind: 'guarded', method, path, limiter: 'admin', scope, ...rest };
}

/** A success with data of this form, and an example of it. @param more of the example's `meta` */
export function successJson(
  name: string,
  data: v.GenericSchema,
  example: unknown,
  meta: v.GenericSchema = ignoringMetaSchema,
  more: object = {},
): DescribedJson {
  return { name, schema: successSchema(data, meta), example: success(example, more) };
}

/** The parts of an answer with data that most answers have alike. */
interface DataAnswerParts {
  status?: string;
  meta?: object;
  headers?: Record<string, string>;
}

/** An answer with data, which names what was sent and has no meaning. */
export function dataAnswer(
  data: unknown,
  ignored: readonly string[] = [],
  { status = '200 OK', meta, headers }: DataAnswerParts = {},
): Answer {
  return jsonAnswer(status, successBody(data, { ...meta, ...ignoringMeta(ignored) }), headers);
}

/** The described answers that hold data of one form, each with its own sentence. */
export function describeAnswers(...data: Parameters<typeof successJson>) {
  const json = successJson(...data);
  return (description: string): DescribedAnswer => ({ description, json });
}

/** Work that is answered 204. @param act whether there was such a record */
export function doing(act: OfOne<boolean>) {
  return ofOne(async (...one) => (await act(...one)) || null);
}

const ofOne =
  <T>(act: OfOne<T>) =>
  (id: number, { tenant }: GuardedContext, { db }: Services) =>
    act(db, tenant.id, id);

/**
 * The checked body of a request, and the names of parameters and fields that were ignored.
 *
 * @throws InvalidError, UnsupportedTypeError
 */
export async function readBody<S extends InputSchema>(
  schema: S,
  { headers, body, query }: Pick<GuardedContext, 'headers' | 'body' | 'query'>,
): Promise<{ input: v.InferOutput<S>; ignored: readonly string[] }> {
  const { value, errors } = parseJsonBody(headers, await body);
  const checked = checkInput(schema, value);
  if ('errors' in checked) throw new InvalidError({ ...errors, ...checked.errors });
  if (!isObject(value)) throw new InvalidError({ body: [broken('format')], ...errors });
  const ignored = [...unknownParameters(query, []), ...checked.ignored];
  return { input: checked.input, ignored };
}
