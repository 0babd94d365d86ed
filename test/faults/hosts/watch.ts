import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Reply } from './cluster.ts';

/** The answers to one kind of request for a while. */
export interface Watched {
  statuses: Map<number, number>;
  /** Longest answer, in ms. */
  longest: number;
}

/** Asks one thing over and over until `isOver`. */
export async function watch(
  ask: () => Promise<Reply>,
  pause: number,
  isOver: () => boolean,
): Promise<Watched> {
  const watched: Watched = { statuses: new Map(), longest: 0 };
  while (!isOver()) {
    const { status, took } = await ask();
    watched.statuses.set(status, (watched.statuses.get(status) ?? 0) + 1);
    watched.longest = Math.max(watched.longest, took);
    await sleep(pause);
  }
  return watched;
}

export function describeWatched(what: string, { statuses, longest }: Watched): string {
  const counts = [...statuses].map(([status, times]) => `${times} × ${status || 'no answer'}`);
  return `    ${what.padEnd(24)} ${counts.join(', ')}; longest ${(longest / 1_000).toFixed(2)} s`;
}

/** Seconds until `isSo` for the first time. */
export async function until(isSo: () => Promise<boolean>, bound: number): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > bound) return Number.POSITIVE_INFINITY;
    await sleep(50);
  }
  return (performance.now() - began) / 1_000;
}

/** The price of a dish, as a gateway shows it. */
export async function priceAt(ask: Ask, dish: number): Promise<number | undefined> {
  const { status, text } = await ask('trattoria', `/items/${dish}`);
  return status === 200 ? JSON.parse(text).data.price : undefined;
}
