import { MissingError, performForOperator } from '../../db/actions/action.ts';
import { followMaster, leaveMaster, masterInput } from '../../db/actions/chains.ts';
import { checkInput } from '../../db/schema/validation/check-input.ts';
import { InvalidError, NotFoundError } from '../http/errors.ts';
import { unknownParameters } from '../http/query.ts';
import { accessOperations } from './access-operations.ts';
import { hostOperations } from './host-operations.ts';
import {
  GONE,
  ok,
  type PlatformContext,
  type PlatformOperation,
  type PlatformOutcome,
  taking,
} from './operation.ts';
import { restaurantOperations } from './restaurant-operations.ts';
import { usageOperations } from './usage-operations.ts';

const scope = 'restaurants:write';

/** Restaurants that follow the menu of another one. */
const chainOperations: PlatformOperation[] = [
  taking({
    ...{ method: 'PUT', path: '/restaurants/:slug/master', id: 'followMaster', scope },
    summary: 'Let a restaurant follow the menu of another one, as a branch of its chain',
    body: masterInput,
    run: async ({ db, params: [slug = ''], input }) => ok(await followMaster(db, slug, input)),
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/master', id: 'leaveMaster', scope },
    summary: 'Let a branch follow no more; it keeps its menu',
    run: async ({ db, params: [slug = ''] }) => {
      await leaveMaster(db, slug);
      return GONE;
    },
  },
];

export const platformOperations = [
  ...restaurantOperations,
  ...usageOperations,
  ...accessOperations,
  ...hostOperations,
  ...chainOperations,
];

/** The outcome of an operation, with the sent fields that have no meaning. */
type NamedOutcome = PlatformOutcome & { ignored: readonly string[] };

/** A restaurant, user or token that is not there is 404. */
function explain(error: unknown): never {
  throw error instanceof MissingError ? new NotFoundError() : error;
}

/**
 * Checks the body of an operation, and does it: once, where the client names the request.
 *
 * @throws NotFoundError, InvalidError
 */
export async function operate(
  operation: PlatformOperation,
  context: Omit<PlatformContext, 'input'>,
  body: unknown,
): Promise<NamedOutcome> {
  const checked = operation.body ? checkInput(operation.body, body) : { input: {}, ignored: [] };
  if ('errors' in checked) throw new InvalidError(checked.errors);
  const parameters = Object.keys(operation.query?.entries ?? {});
  const ignored = [...unknownParameters(context.query, parameters), ...checked.ignored];
  const { input } = checked;
  const run = (db: PlatformContext['db']) => operation.run({ ...context, db, input });
  const done = operation.isMany
    ? run(context.db)
    : performForOperator(context.db, context.once, run);
  return { ...(await done.catch(explain)), ignored };
}
