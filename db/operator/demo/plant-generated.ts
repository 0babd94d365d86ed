import type { Database } from '../../postgres/connection.ts';
import { generateRestaurant } from './generator.ts';
import { plantRestaurant } from './plant-restaurant.ts';

/** Restaurants planted at a time: compression is the work, and it runs in four threads. */
const concurrency = 4;

/**
 * Plants the first `count` generated restaurants, passing over those that are there already, and
 * returns how many are new.
 */
export async function plantGenerated(
  database: Database,
  count: number,
  progressOf: (what: string, done: number, total: number) => void,
): Promise<number> {
  let next = 0;
  let planted = 0;
  const plantNext = async () => {
    while (next < count) {
      const restaurant = generateRestaurant(next);
      next += 1;
      progressOf('planting', next, count);
      const tenantId = await database.transaction((db) => plantRestaurant(db, restaurant));
      if (tenantId !== null) planted += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, plantNext));
  return planted;
}
