import { MissingError, performForOperator } from '../../db/actions/action.ts';
import { checkInput } from '../../db/schema/validation/check-input.ts';
import { InvalidError, NotFoundError } from '../http/errors.ts';
import { unknownParameters } from '../http/query.ts';
import { accessOperations } from './access-operations.ts';
import { chainOperations } from './chain-operations.ts';
import { hostOperations } from './host-operations.ts';
import type { PlatformContext, PlatformOperation, PlatformOutcome } from './operation.ts';
import { restaurantOperations } from './restaurant-operations.ts';
import { usageOperations } from './usage-operations.ts';

/** The operations of the platform's API. */
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
