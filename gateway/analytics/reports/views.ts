import type { Compared } from '../../../db/sql/counts.ts';
import { changeOf, rankChange, ranksOf, shareOf } from './figures.ts';
import type { Views } from './report-schemas.ts';

/**
 * Ranks what was viewed in the period, the most viewed first.
 *
 * @param compared only what is to be reported: shares and ranks are among these
 */
export function rankViews(compared: readonly Compared[]): { key: string; views: Views }[] {
  const total = compared.reduce((sum, { events }) => sum + events, 0);
  const ranks = ranksOf(compared.map(({ key, events }) => [key, events] as const));
  const previousRanks = ranksOf(
    compared.map(({ key, previous_events }) => [key, previous_events] as const),
  );
  return compared
    .filter(({ events }) => events > 0)
    .map(({ key, events, visitors, previous_events }) => ({
      key,
      views: {
        views: events,
        visitors,
        share: shareOf(events, total),
        rank: ranks.get(key) as number,
        previous_views: previous_events,
        previous_rank: previousRanks.get(key) ?? null,
        rank_change: rankChange(ranks.get(key), previousRanks.get(key)),
        change: changeOf(events, previous_events),
      },
    }))
    .sort(
      (a, b) => a.views.rank - b.views.rank || a.key.localeCompare(b.key, 'en', { numeric: true }),
    );
}
