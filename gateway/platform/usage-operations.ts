import * as v from 'valibot';
import { dayOf, shiftDay } from '../../db/runtime/day.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { findUsage, listUsage, listUsageDays, type ReportSpan } from '../../db/sql/usage.ts';
import { InvalidError } from '../http/errors.ts';
import { checkQuery, dayParameter } from '../http/query.ts';
import { ok, type PlatformOperation, showRestaurant } from './operation.ts';
import { cursorEntries, cursorOf } from './restaurant-operations.ts';

/** Without `from` the last days are told, so many. */
const USUAL_DAYS = 30;

const spanEntries = {
  from: dayParameter(
    `The first day in UTC; ${USUAL_DAYS} days before the last one where it is missing.`,
  ),
  to: dayParameter('The last day in UTC; today where it is missing.'),
};
const spanQuery = v.object(spanEntries);
const listQuery = v.object({ ...cursorEntries, ...spanEntries });

/** @throws InvalidError */
function spanOf({ from, to }: v.InferOutput<typeof spanQuery>): ReportSpan {
  const last = to ?? dayOf(Date.now());
  const first = from ?? shiftDay(last, 1 - USUAL_DAYS);
  if (first > last) throw new InvalidError({ to: [broken('notBefore', { date: first })] });
  return { from: first, to: last };
}

const scope = 'restaurants:read';

/** How much restaurants have, and are asked for. */
export const usageOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/usage', id: 'listUsage', scope },
    summary: 'List what restaurants have and how much they were asked for in a span of days',
    query: listQuery,
    run: async ({ db, query }) => {
      const { after = 0, limit, ...days } = checkQuery(listQuery, query);
      const span = spanOf(days);
      const page = await listUsage(db, span, after, limit);
      return ok(page, { ...cursorOf(page, limit), ...span });
    },
  },
  {
    ...{ method: 'GET', path: '/restaurants/:slug/usage', id: 'showUsage', scope },
    summary: 'Show the usage of a restaurant, with its events and requests of each day',
    query: spanQuery,
    run: async ({ db, params: [slug = ''], query }) => {
      const span = spanOf(checkQuery(spanQuery, query));
      const { id, max_dishes, max_photos_mb, max_users } = await showRestaurant(db, slug);
      const usage = await findUsage(db, span, id);
      const days = await listUsageDays(db, span, id);
      return ok({ ...usage, quotas: { max_dishes, max_photos_mb, max_users }, days }, { ...span });
    },
  },
];
