import { repository } from '../processes/child.ts';
import { adminHeaders } from '../processes/cli.ts';
import type { Client } from './client.ts';

/** A restaurant that a load reads and writes. */
export interface Restaurant {
  slug: string;
  /** Headers that allow changes of the menu. */
  headers: Record<string, string>;
  /** A section and a dish of it. */
  sectionId: number;
  dishId: number;
}

const LOCALES = ['it', 'en', 'fr', 'de', 'es'];

/** Issues a token for the restaurant and reads its menu in every language into the gateway's memory. */
export async function openRestaurant(
  client: Client,
  cliEnv: Record<string, string>,
  slug: string,
  folder = repository,
): Promise<Restaurant> {
  const headers = await adminHeaders(cliEnv, slug, folder);
  for (const locale of LOCALES) await client.expect(200, slug, { path: `/menu/${locale}` });
  const { text } = await client.expect(200, slug, { path: '/items?per_page=1' });
  const [dish] = JSON.parse(text).data;
  return { slug, headers, sectionId: dish.category_id, dishId: dish.id };
}

/** Changes the price of the restaurant's dish; returns the milliseconds to the answer 200. */
export async function changePrice(
  client: Client,
  { slug, headers, dishId }: Restaurant,
  price: number,
): Promise<number> {
  const path = `/admin/items/${dishId}`;
  return (await client.expect(200, slug, { method: 'PUT', path, headers, body: { price } })).took;
}

/** The same in bulk; returns the new version and when it was answered, in ms since 1970. */
export async function publishPrice(
  client: Client,
  { slug, headers, dishId }: Restaurant,
  price: number,
): Promise<{ version: number; answeredAt: number }> {
  const operation = { resource: 'items', action: 'update', id: dishId, data: { price } };
  const body = { operations: [operation] };
  const call = { method: 'POST', path: '/admin/bulk', headers, body };
  const { text } = await client.expect(200, slug, call);
  const answeredAt = performance.timeOrigin + performance.now();
  return { version: JSON.parse(text).data.version, answeredAt };
}
