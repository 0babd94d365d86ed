import type * as v from 'valibot';
import type { DescribedAnswer, DescribedBody, DescribedRoute, Description } from './description.ts';
import { type Audience, audienceHeaders, failures, requireScope } from './failures.ts';
import { always, sometimes } from './headers.ts';
import { parameter, parameterComponents, queryParameters } from './parameters.ts';
import {
  type ApiOperation,
  BINARY,
  JSON_MEDIA_TYPE,
  jsonContent,
  type PathItem,
  type Paths,
  type Response,
  responseRef,
  type SchemaReference,
  schemaRef,
} from './parts.ts';

/** The tokens that open an endpoint: those with its scope, or with the one that opens a part of it. */
function securityOf({ scope, orScope }: DescribedRoute) {
  if (!scope) return [];
  return [...requireScope(scope), ...(orScope ? [{ token: [orScope] }] : [])];
}

function audienceOf(route: DescribedRoute): Audience {
  if (!route.scope) return 'Public';
  const isOfWrites = route.description.answersWrites ?? route.method !== 'GET';
  return isOfWrites && route.scope.endsWith(':write') ? 'Write' : 'Admin';
}

function responseOf(audience: Audience, given: DescribedAnswer): Response {
  const { description, json, headers = [], rareHeaders = [] } = given;
  const content = {
    ...(json && jsonContent(json.name, json.example)),
    ...given.content,
  };
  return {
    description,
    headers: {
      ...always(...audienceHeaders(audience), ...headers),
      ...sometimes(
        ...rareHeaders,
        ...((json ?? given.content) ? (['X-Content-Type-Options'] as const) : []),
      ),
    },
    ...((json ?? given.content) && { content }),
  };
}

function responsesOf(route: DescribedRoute): ApiOperation['responses'] {
  const { answers, refusals = [] } = route.description;
  const audience = audienceOf(route);
  const given = Object.entries(answers).map(
    ([status, answer]): [string, Response | SchemaReference] => [
      status,
      answer.shared === undefined ? responseOf(audience, answer) : responseRef(answer.shared),
    ],
  );
  return { ...failures(audience, refusals), ...Object.fromEntries(given) };
}

function requestBodyOf({ name, example, types = [], others, isOptional }: DescribedBody) {
  const media = { schema: schemaRef(name), example };
  const byType = types.map((type) => [type, media]);
  const content = { [JSON_MEDIA_TYPE]: media, ...Object.fromEntries(byType), ...others };
  return { required: !isOptional, content };
}

function uploadOf({ field, types }: NonNullable<Description['upload']>) {
  const described = { ...BINARY, description: 'The file.' };
  const form = { type: 'object', properties: { [field]: described }, required: [field] };
  const byType = types.map((type) => [type, { schema: BINARY }]);
  // Generators take the first type: with a form their clients send the file as it is.
  const content = { 'multipart/form-data': { schema: form }, ...Object.fromEntries(byType) };
  return { required: true, content };
}

/** @param hasParameter whether the path has the parameter that its pattern names */
function operationOf(route: DescribedRoute, hasParameter: boolean): ApiOperation {
  const { description } = route;
  const { parameters = [], query, body, upload, tag, withParameter } = description;
  const isOptional = route.path.endsWith('?');
  const { id, summary, details } = (isOptional && hasParameter && withParameter) || description;
  const present = parameters.filter(
    (name) => hasParameter || parameterComponents[name].in !== 'path',
  );
  const all = [...present.map(parameter), ...(query ? queryParameters(query) : [])];
  return {
    operationId: id,
    summary,
    ...(details !== undefined && { description: details }),
    tags: [tag],
    security: securityOf(route),
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: requestBodyOf(body) }),
    ...(upload && { requestBody: uploadOf(upload) }),
    responses: responsesOf(route),
  };
}

/** The paths that a route answers, as the document writes them, and whether each has a parameter. */
function formsOf(path: string): [path: string, hasParameter: boolean][] {
  const written = path.replace(/:(\w+)\??/g, '{$1}');
  const whole: [string, boolean] = [written, written !== path];
  return path.endsWith('?') ? [[path.replace(/\/:\w+\?$/, ''), false], whole] : [whole];
}

/** The document's `paths`. */
export function describePaths(routes: readonly DescribedRoute[]): Paths {
  const paths: Paths = {};
  for (const route of routes) {
    for (const [path, hasParameter] of formsOf(route.path)) {
      const item: PathItem = paths[path] ?? {};
      paths[path] = item;
      item[route.method.toLowerCase() as keyof PathItem] = operationOf(route, hasParameter);
    }
  }
  return paths;
}

/** The answers that several routes share, by name. */
export function sharedResponses(routes: readonly DescribedRoute[]): Record<string, Response> {
  return Object.fromEntries(
    routes.flatMap((route) =>
      Object.values(route.description.answers).flatMap((answer) =>
        answer.shared ? [[answer.shared, responseOf(audienceOf(route), answer)]] : [],
      ),
    ),
  );
}

/** The schemas that routes name: of what they answer, and of what they take. */
export function routeSchemas(routes: readonly DescribedRoute[]) {
  const answers: Record<string, v.GenericSchema> = {};
  const bodies: Record<string, v.GenericSchema> = {};
  for (const { description } of routes) {
    for (const { json } of Object.values(description.answers)) {
      if (json) answers[json.name] = json.schema;
    }
    const { body } = description;
    if (body) Object.assign(bodies, body.parts, { [body.name]: body.schema });
  }
  return { answers, bodies };
}
