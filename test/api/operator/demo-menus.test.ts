// The demo menus are documents that the ordinary import takes, and that say everything in its field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemoRestaurant } from '../../../db/operator/demo/restaurant.ts';
import { abroad, houses, pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { workedService } from '../../support/menu-service.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

const service = await workedService([trattoria, pizzeria, ...houses, ...abroad]);

async function dishesOf({ slug }: DemoRestaurant, locale = ''): Promise<Dish[]> {
  const { data } = (await service.gateway.client(slug).get(`/menu/${locale}`)).json;
  return data.sections.flatMap(({ items }: { items: Dish[] }) => items);
}

test('the import of an empty restaurant takes every document and ignores nothing', async () => {
  const { db, gateway } = service;
  for (const { slug, ...document } of [trattoria, pizzeria, ...houses, ...abroad]) {
    const tenantId = await plant(db, restaurantOf(`leer-${slug}`, []));
    const client = gateway.client(`leer-${slug}`);
    const admin = createAdminClient(client, await issueToken(db, tenantId));
    const reply = await admin.call('PUT', '/import', document);
    assert.equal(reply.status, 200, `${slug}: ${reply.text.slice(0, 500)}`);
    assert.equal(reply.json.data.counts.failed, 0, slug);
    assert.equal(reply.json.meta.ignored, undefined, slug);
    const planted = (await gateway.client(slug).get('/menu')).json.data.sections;
    const imported = (await client.get('/menu')).json.data.sections;
    const bare = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replace(/"(id|\w+_id|display_order)":\d+/g, '"$1":0'));
    assert.deepEqual(bare(imported), bare(planted), slug);
  }
});

test('five kinds of house keep sizes, amounts and prices out of names and descriptions', async () => {
  assert.equal(houses.length, 5);
  for (const house of houses) {
    for (const dish of await dishesOf(house)) {
      assert.doesNotMatch(`${dish.name} ${dish.description}`, /[\d€]|\bcl\b|\bkg\b/, house.slug);
      assert.ok(dish.price > 0 || dish.price_on_request, `${house.slug}: ${dish.name}`);
      for (const locale of ['it', 'en', 'de'] as const) assert.ok(dish.name_translations[locale]);
    }
  }
});

test('together the houses use every new field of dishes', async () => {
  const used = new Set(houses.flatMap(({ items }) => items.flatMap((item) => Object.keys(item))));
  for (const field of [
    ...['price_on_request', 'price_unit', 'variants', 'traces', 'additives', 'labels'],
    ...['vintage', 'grapes', 'denomination'],
  ]) {
    assert.ok(used.has(field), field);
  }
  assert.ok(houses.some(({ items }) => items.some(({ allergens }) => allergens === null)));
});

test('guests read the notes, the footer and the warnings of every restaurant in their language', async () => {
  for (const { slug, settings, theme, categories } of [trattoria, pizzeria, ...houses]) {
    const locales = new Set(settings.supported_locales);
    const { cover_charge_text, allergen_info, recommended_label } = settings;
    const languagesOf = (text: unknown) => new Set(Object.keys(text as object));
    for (const text of [cover_charge_text, allergen_info, recommended_label, theme.footer_text]) {
      assert.deepEqual(languagesOf(text), locales, slug);
    }
    for (const { name, notes } of categories) {
      if (notes) assert.deepEqual(languagesOf(notes), languagesOf(name), `${slug}: ${notes}`);
    }
  }
});
