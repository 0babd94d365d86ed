import { constants } from '../../db/runtime/constants.ts';
import { createAnswer } from '../http/answer.ts';
import type { Reply, Request } from '../http/exchange.ts';

/** The way from a restaurant's former slug to the same page of it, for reads. */
export function movedReply(
  origin: string,
  { path, query }: Pick<Request, 'path' | 'query'>,
): Reply {
  const address = `${origin}${path}${query === '' ? '' : `?${query}`}`;
  const headers = { Location: address, 'Access-Control-Allow-Origin': '*' };
  const age = `public, max-age=${constants.formerSlugAge}`;
  const answer = createAnswer('308 Permanent Redirect', age, headers, Buffer.alloc(0));
  return { answer, route: 'former host', limitHead: null };
}
