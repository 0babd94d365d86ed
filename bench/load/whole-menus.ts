import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Restaurant } from './restaurant.ts';

const LOCALES = ['it', 'en', 'fr', 'de', 'es'];
const PAUSE_MS = 50;

/** As much as one restaurant may have: about 4 MiB. */
export const LARGE_MENU = { dishes: 4_000, sections: 40 };

export function largeMenu(price: number): object {
  const texts = (text: string) =>
    Object.fromEntries(LOCALES.map((locale) => [locale, `${text} (${locale})`]));
  return {
    format: 'lavagna-menu/1',
    categories: Array.from({ length: LARGE_MENU.sections }, (_, at) => ({
      external_id: `s${at}`,
      name: texts(`Sezione ${at}`),
    })),
    items: Array.from({ length: LARGE_MENU.dishes }, (_, at) => ({
      external_id: `d${at}`,
      category_external_id: `s${at % LARGE_MENU.sections}`,
      name: texts(`Piatto numero ${at}`),
      description: texts('Con burro'),
      price,
      allergens: ['latte'],
    })),
  };
}

/** Sends a document until its result is known; returns the seconds. */
export async function sendMenu(
  client: Client,
  { slug, headers }: Restaurant,
  document: object,
  query: string,
  key: string,
): Promise<number> {
  const startedAt = performance.now();
  const call = {
    method: 'PUT',
    path: `/admin/import${query}`,
    headers: { ...headers, 'Idempotency-Key': key },
    // The same text each time that it is asked whether it is done.
    body: JSON.stringify(document),
  };
  let reply = await client.call(slug, call);
  while (reply.status === 202) {
    await sleep(PAUSE_MS);
    reply = await client.call(slug, call);
  }
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text.slice(0, 500)}`);
  return (performance.now() - startedAt) / 1_000;
}
