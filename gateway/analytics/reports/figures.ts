/** The share that a part has of `total`, from 0 to 1 with four decimals. */
export function shareOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part * 10_000) / total) / 10_000;
}

/** By how many percent a figure changed, with one decimal; null when there was nothing before. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) * 1_000) / before) / 10;
}

/**
 * The rank of each key by its figure, the largest first; equal figures share a rank, and what is
 * zero has none.
 */
export function ranksOf<K>(figures: Iterable<readonly [K, number]>): Map<K, number> {
  const sorted = [...figures].filter(([, figure]) => figure > 0).sort(([, a], [, b]) => b - a);
  const ranks = new Map<K, number>();
  let rank = 0;
  let last = Number.NaN;
  sorted.forEach(([key, figure], index) => {
    if (figure !== last) rank = index + 1;
    last = figure;
    ranks.set(key, rank);
  });
  return ranks;
}

/** How many ranks something has risen; null when it has no rank in one of the periods. */
export function rankChange(rank: number | undefined, previous: number | undefined): number | null {
  return rank === undefined || previous === undefined ? null : previous - rank;
}
