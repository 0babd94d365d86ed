// `demo --tenants` builds some menus and copies them to all other restaurants.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  generateRestaurant,
  generateSlug,
  plantGenerated,
} from '../../../db/operator/demo/generator.ts';
import { findTenantId } from '../../../db/sql/tenants.ts';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { workedService } from '../../support/menu-service.ts';
import { restaurantOf } from '../../support/restaurant.ts';

const BUILT = 2;
const COUNT = 5;
const slugs = Array.from({ length: COUNT }, (_, index) => generateSlug(index));

const service = await workedService([restaurantOf('casa', [])]);
const told: number[] = [];
assert.equal(await plantGenerated(service.db, COUNT, (_, done) => told.push(done), BUILT), COUNT);

const menuOf = async (index: number) =>
  (await service.gateway.client(slugs[index] as string).get('/menu')).json.data;

test('a slug names the restaurant that the generator makes', () => {
  for (const index of [0, 7, 1_000, 54_321]) {
    assert.equal(generateRestaurant(index).slug, generateSlug(index));
  }
  assert.deepEqual(generateRestaurant(1_007).items, generateRestaurant(7).items);
});

test('progress ends with the count, and what is there is not planted again', async () => {
  assert.equal(told.at(-1), COUNT);
  assert.equal(await plantGenerated(service.db, COUNT, () => {}, BUILT), 0);
});

test('a copy serves the menu of its origin under its own name', async () => {
  for (const [copy, origin] of [
    [2, 0],
    [3, 1],
    [4, 0],
  ] as const) {
    const [copied, original] = [await menuOf(copy), await menuOf(origin)];
    assert.deepEqual(copied.sections, original.sections);
    assert.equal(copied.settings.slug, slugs[copy]);
    assert.equal(copied.settings.id, await findTenantId(service.db, slugs[copy] as string));
    assert.equal(original.settings.slug, slugs[origin]);
  }
});

test('a change of a copy does not touch its origin', async () => {
  const slug = slugs[4] as string;
  const tenantId = (await findTenantId(service.db, slug)) as number;
  const before = await menuOf(0);
  const dish = before.sections[0].items[0];
  const token = await issueToken(service.db, tenantId);
  const admin = createAdminClient(service.gateway.client(slug), token);
  (await admin.call('PUT', `/items/${dish.id}`, { price: 77 })).expect(200);
  assert.equal((await menuOf(4)).sections[0].items[0].price, 77);
  assert.deepEqual(await menuOf(0), before);
});
