import { findEmptySearches } from '../../../db/sql/empty-searches.ts';
import { shareOf } from './figures.ts';
import type { Report } from './report.ts';

/** Searches that found nothing, the most frequent first. */
export const searches: Report<'searches'> = async ({ db, tenant, period, limit }) => {
  const found = await findEmptySearches(db, tenant.id, period, limit);
  const { total, texts } = found[0] ?? { total: 0, texts: 0 };
  return {
    total_searches: total,
    total_queries: texts,
    queries: found
      .filter(({ query }) => query !== '')
      .slice(0, limit)
      .map(({ query, searches }) => ({ query, searches, share: shareOf(searches, total) })),
    other_searches: found.find(({ query }) => query === '')?.searches ?? 0,
  };
};
