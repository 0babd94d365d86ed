import { constants } from '../runtime/constants.ts';
import {
  type BulkOutcome,
  countOutcomes,
  MAX_OPERATIONS,
  type OperationResult,
} from '../schema/bulk.ts';
import { boundErrors } from '../schema/validation/bound-errors.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';

// The stored result of a write is bounded, whatever was sent, because gateways read it whole.

/** The length of a value as JSON, as far as it is left. */
function createBudget(length: number) {
  let left = length;
  return {
    /** Whether there was room. Where one value has none, no later one has. */
    take: (value: object): boolean => {
      if (left < 0) return false;
      left -= JSON.stringify(value).length;
      return left >= 0;
    },
  };
}

/** The failures that are listed, each once, with their errors. */
function listFailures(
  results: readonly OperationResult[],
  budget: ReturnType<typeof createBudget>,
): Map<OperationResult, FieldErrors> {
  const listed = new Map<OperationResult, FieldErrors>();
  for (const result of results) {
    if (listed.size >= constants.maxListedFailures) break;
    if (result.outcome !== 'failed') continue;
    const errors = boundErrors(result.errors);
    // The first one is always told.
    if (!budget.take(errors) && listed.size > 0) break;
    listed.set(result, errors);
  }
  return listed;
}

/**
 * The results that are stored, in their order, and how many there were of each kind: at most
 * `maxListedFailures` of those that failed, and `MAX_OPERATIONS` of the others with outcome and ids.
 * Errors and changes together have at most `maxResultBytes`; later changes are left out.
 *
 * @param unchanged how many records stay as they are beside those with a result
 */
export function boundResults(
  results: readonly OperationResult[],
  unchanged = 0,
): Pick<BulkOutcome, 'results' | 'counts' | 'left_out'> {
  const counts = countOutcomes(results, unchanged);
  const budget = createBudget(constants.maxResultBytes);
  const failures = listFailures(results, budget);
  const left_out = { failures: counts.failed - failures.size, results: 0, changes: 0 };
  let others = 0;
  const kept = results.flatMap((result): OperationResult[] => {
    if (result.outcome === 'failed') {
      const errors = failures.get(result);
      return errors ? [{ ...result, errors }] : [];
    }
    others += 1;
    if (others > MAX_OPERATIONS) {
      left_out.results += 1;
      return [];
    }
    if (Object.keys(result.changes).length === 0 || budget.take(result.changes)) return [result];
    left_out.changes += 1;
    return [{ ...result, changes: {} }];
  });
  const isCut = Object.values(left_out).some((count) => count > 0);
  return { results: kept, counts, ...(isCut && { left_out }) };
}
