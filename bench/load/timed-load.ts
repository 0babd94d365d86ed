import { nodeCommand, startChild } from '../processes/child.ts';
import { type Running, running } from '../processes/running.ts';
import type { Restaurant } from './restaurant.ts';

/** A load at a steady pace in a process of its own, so that only the gateway's delays are measured. */
export interface TimedLoad extends Running {
  /** Response times in milliseconds since the last call. */
  take(): Promise<number[]>;
}

async function startTimedLoad(file: string, ...args: readonly string[]): Promise<TimedLoad> {
  const child = await startChild(nodeCommand(file, ...args), { channel: true });
  // It has begun.
  await child.message();
  return running({ take: () => child.ask<number[]>({}), stop: child.stop });
}

/** Displays that read menus. */
export function startMenuReaders(
  port: number,
  slugs: readonly string[],
  readsPerSecond: number,
): Promise<TimedLoad> {
  const args = [String(port), String(readsPerSecond), slugs.join(',')];
  return startTimedLoad('bench/load/menu-reader.ts', ...args);
}

/** Guests who load files of one restaurant's photos. */
export function startPhotoReaders(
  port: number,
  slug: string,
  paths: readonly string[],
  readsPerSecond: number,
): Promise<TimedLoad> {
  const args = [String(port), String(readsPerSecond), slug, paths.join(',')];
  return startTimedLoad('bench/load/menu-reader.ts', ...args);
}

/** An owner who changes a price, again and again, each time `pauseMs` after the last answer. */
export function startPriceWriter(
  port: number,
  restaurant: Restaurant,
  pauseMs: number,
): Promise<TimedLoad> {
  const args = [String(port), String(pauseMs), JSON.stringify(restaurant)];
  return startTimedLoad('bench/load/price-writer.ts', ...args);
}
