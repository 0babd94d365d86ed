import type { Client } from './client.ts';
import { changePrice, type Restaurant } from './restaurant.ts';

export const WRITES_PER_SECOND = 10;
const BATCHES_PER_SECOND = 50;
const EVENTS_PER_BATCH = 20;
export const EVENTS_PER_SECOND = BATCHES_PER_SECOND * EVENTS_PER_BATCH;
const PRICES = 50;

/** A request with events of a restaurant's dish. */
export function eventsOf({ dishId }: Restaurant, count = EVENTS_PER_BATCH) {
  const event = { type: 'item_view', item_id: dishId, visitor_id: 'bench' };
  const body = Array.from({ length: count }, () => event);
  return { method: 'POST', path: '/analytics/events', body };
}

/** Runs `work` while writes and events arrive; throws when one of them is refused. */
export async function duringTraffic<T>(
  client: Client,
  restaurant: Restaurant,
  work: () => Promise<T>,
): Promise<T> {
  const call = eventsOf(restaurant);
  const sent: Promise<unknown>[] = [];
  const timers = [
    setInterval(
      () => sent.push(changePrice(client, restaurant, 1 + (sent.length % PRICES))),
      1_000 / WRITES_PER_SECOND,
    ),
    setInterval(
      () => sent.push(client.expect(202, restaurant.slug, call)),
      1_000 / BATCHES_PER_SECOND,
    ),
  ];
  try {
    return await work();
  } finally {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(sent);
  }
}
