import assert from 'node:assert/strict';
import { followMaster } from '../../db/actions/chains.ts';
import { cloneRestaurant, createRestaurant } from '../../db/actions/restaurants.ts';
import type { Match } from '../../db/schema/chain.ts';
import { type AdminClient, createAdminClient, issueToken, smallRestaurant } from './admin.ts';
import type { MenuService } from './menu-service.ts';

/** Where houses are: a worker does their writes. */
type Street = Pick<MenuService, 'db' | 'gateway' | 'tenantId'>;

/** A restaurant of a chain. */
export interface House {
  slug: string;
  id: number;
  token: string;
  admin: AdminClient;
  /** The data of an answer that is as expected. */
  ask(method: string, path: string, body?: object, status?: number): Promise<Answer['data']>;
  /** A dish by its name in Italian. */
  dish(name: string): Promise<Answer['data']>;
  /** Changes a dish that is found by its name. */
  change(name: string, values: object): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of the API
type Answer = { data: any };

async function houseOf(service: Street, slug: string, id: number): Promise<House> {
  const token = await issueToken(service.db, id);
  const admin = createAdminClient(service.gateway.client(slug), token);
  const ask: House['ask'] = async (method, path, body, status = 200) => {
    const answer = await admin.call(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 2_000)}`);
    return answer.text === '' ? undefined : answer.json.data;
  };
  const dish: House['dish'] = async (name) => {
    const dishes = await ask('GET', '/items?per_page=100');
    const found = dishes.find((one: { name: string }) => one.name === name);
    assert.ok(found, `${slug} has no dish ${name}`);
    return found;
  };
  const change: House['change'] = async (name, values) => {
    await ask('PUT', `/items/${(await dish(name)).id}`, values);
  };
  return { slug, id, token, admin, ask, dish, change };
}

/** The first house of the service, which is to be the master. */
export function masterHouse(service: Street, slug = smallRestaurant.slug): Promise<House> {
  return houseOf(service, slug, service.tenantId);
}

/** A new restaurant that is empty. */
export async function openHouse(service: Street, slug: string): Promise<House> {
  const id = await createRestaurant(service.db, { slug, name: `Osteria ${slug}`, locale: 'it' });
  return houseOf(service, slug, id);
}

/** A new restaurant with the menu of another one. */
export async function cloneHouse(service: Street, of: House, slug: string): Promise<House> {
  return houseOf(service, slug, await cloneRestaurant(service.db, of.slug, slug));
}

/** Lets a house follow a master. */
export function follow(service: Street, house: House, of: House, match?: Match) {
  const input = { master: of.slug, match: match ?? 'external_id', dry_run: false } as const;
  return followMaster(service.db, house.slug, input);
}

/** Fields that a branch keeps from its master, each with both values. */
export const valuesOf = (shadowed: { field: string; own: unknown; master: unknown }[]) =>
  shadowed.map(({ field, own, master }) => [field, own, master]);
