import { changeOf } from '../report.ts';
import type { Figures } from '../report-schemas.ts';
import type { Evidence } from './finding.ts';

/** Fewer views than this say nothing. */
const MIN_VIEWS = 20;
/** A share must change by a quarter of itself to be called a rise or a fall. */
const MIN_CHANGE = 0.25;
/** Standard errors beyond which a change is no accident, even among hundreds of dishes. */
const MIN_DEVIATIONS = 3.5;
/** Visitors must change by so many percent to be worth a line. */
const MIN_VISITORS_CHANGE = 10;
const MAX_OF_A_KIND = 3;

/** How many standard errors lie between two shares; positive when the first is larger. */
function deviations(now: number, total: number, before: number, totalBefore: number): number {
  const pooled = (now + before) / (total + totalBefore);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / total + 1 / totalBefore));
  return error === 0 ? 0 : (now / total - before / totalBefore) / error;
}

/**
 * Dishes whose share of all views rose or fell by more than chance explains, and their views with it;
 * the strongest first. A share, since every dish is opened more often when there are more guests.
 */
export function findTrends({ menu, items }: Evidence): Figures[] {
  const known = items.filter(({ key }) => menu.dishes.has(Number(key)));
  const total = known.reduce((sum, { events }) => sum + events, 0);
  const totalBefore = known.reduce((sum, { previous_events }) => sum + previous_events, 0);
  if (total === 0 || totalBefore === 0) return [];
  const changed = known
    .filter(({ events, previous_events }) => {
      const expected = (previous_events / totalBefore) * total;
      return (
        Math.max(events, previous_events) >= MIN_VIEWS &&
        Math.abs(events - expected) >= MIN_CHANGE * expected
      );
    })
    .map((item) => ({
      item,
      strength: deviations(item.events, total, item.previous_events, totalBefore),
    }))
    .filter(({ strength }) => Math.abs(strength) >= MIN_DEVIATIONS)
    .sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength));
  const pick = (kind: 'rising_item' | 'falling_item', sign: number) =>
    changed
      .filter(({ item: { events, previous_events }, strength }) => {
        // The finding names the views: what fell among many more guests may have more of them.
        return strength * sign > 0 && (events - previous_events) * sign > 0;
      })
      .slice(0, MAX_OF_A_KIND)
      .flatMap(({ item: { key, events, previous_events } }): Figures[] => {
        const dish = menu.dishes.get(Number(key));
        if (!dish) return [];
        return [
          {
            kind,
            item_id: dish.id,
            name: menu.name(dish),
            views: events,
            previous_views: previous_events,
            change: changeOf(events, previous_events),
          },
        ];
      });
  return [...pick('rising_item', 1), ...pick('falling_item', -1)];
}

/** Whether there were clearly more or fewer visitors than in the period before. */
export function findVisitorsChange({ days, from }: Evidence): Figures[] {
  const sum = (wanted: typeof days) => wanted.reduce((total, day) => total + day.visitors, 0);
  const visitors = sum(days.filter(({ day }) => day >= from));
  const previous_visitors = sum(days.filter(({ day }) => day < from));
  const change = changeOf(visitors, previous_visitors);
  if (change === null || Math.abs(change) < MIN_VISITORS_CHANGE) return [];
  return [{ kind: 'visitors', visitors, previous_visitors, change }];
}
