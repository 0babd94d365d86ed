import { adminHeaders } from '../processes/cli.ts';
import { PLATFORM_TOKEN } from '../processes/service-process.ts';
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

/** DOMAIN, where the platform's API answers. */
const DOMAIN = 'localhost';
const EMAIL = 'load@example.com';

/** Headers with a new token, by the platform's API: a command takes two seconds. */
async function makeToken(client: Client, slug: string): Promise<Record<string, string>> {
  const ask = (path: string, body: object) =>
    client.call(slug, {
      ...{ method: 'POST', base: '/platform', path: `/restaurants/${slug}${path}`, body },
      headers: { Host: DOMAIN, Authorization: `Bearer ${PLATFORM_TOKEN}` },
    });
  // A second run on kept data finds the user there.
  await ask('/users', { email: EMAIL, role: 'owner' });
  const scopes = ['menu:read', 'menu:write'];
  const { status, text } = await ask('/tokens', { user: EMAIL, name: 'load', scopes });
  if (status !== 201) throw new Error(`a token of ${slug}: ${status}: ${text}`);
  return { Authorization: `Bearer ${JSON.parse(text).data.token}` };
}

/**
 * Makes a token for the restaurant, uses it, and reads the menu in every language into the gateway's
 * memory.
 *
 * @param checkout of a revision whose commands make the token: older ones have no platform's API
 */
export async function openRestaurant(
  client: Client,
  slug: string,
  checkout?: { dataDir: string; folder: string },
): Promise<Restaurant> {
  const headers = checkout
    ? await adminHeaders({ DATA_DIR: checkout.dataDir }, slug, checkout.folder)
    : await makeToken(client, slug);
  for (const locale of LOCALES) await client.expect(200, slug, { path: `/menu/${locale}` });
  // An owner's first request, for which a gateway loads code.
  const { text } = await client.expect(200, slug, { path: '/admin/items?per_page=1', headers });
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
