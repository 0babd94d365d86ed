import type { Scope } from '../../db/schema/scope.ts';
import type { Answer } from '../http/answer.ts';
import { unavailable } from '../http/errors.ts';
import type { Description } from '../openapi/description.ts';
import type { GuardedContext } from '../pipeline/route.ts';
import type { ApiRoute, Services } from './services.ts';

type Call = (context: GuardedContext, services: Services) => Promise<Answer>;

/** The parts that the endpoints of one kind of record share. */
interface Kind {
  /** The path of the list. */
  path: string;
  tag: Description['tag'];
  read: Scope;
  write: Scope;
  /** Whether its changes are described as writes of the menu; others answer at once. */
  isOfMenu: boolean;
  /** The message of a log when Postgres does not answer. */
  failure: string;
}

/** Makes the function that declares an endpoint of a kind, at a path below its list. */
export function createEndpoints({ path, tag, read, write, isOfMenu, failure }: Kind) {
  return (
    method: ApiRoute['method'],
    below: string,
    description: Omit<Description, 'tag'>,
    call: Call,
  ): ApiRoute => ({
    kind: 'guarded',
    method,
    path: path + below,
    limiter: 'admin',
    scope: method === 'GET' ? read : write,
    description: {
      ...description,
      tag,
      ...(!isOfMenu && { answersWrites: description.body !== undefined }),
    },
    call: (context, services) => call(context, services).catch(unavailable(failure)),
  });
}
