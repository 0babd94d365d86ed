import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import { dish } from '../../../db/schema/dish.ts';
import { type SectionTree, sectionTreeSchema } from '../../../db/schema/section.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { each } from '../../support/each.ts';
import { menuService } from '../../support/menu-service.ts';

const service = await menuService([trattoria]);
const { client } = service;

async function read(path: string) {
  const response = await client.get(path);
  assert.equal(response.status, 200, path);
  const { success, data, meta } = response.json;
  assert.equal(success, true);
  assert.match(meta.generated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  return { data, meta };
}

test('/restaurant and /theme are the parts of /menu', async () => {
  const menu = (await read('/menu')).data;
  const restaurant = await read('/restaurant');
  assert.deepEqual(restaurant.data, menu.settings);
  assert.deepEqual(Object.keys(restaurant.meta), ['generated_at']);
  assert.deepEqual((await read('/theme')).data, menu.theme);
});

test('/categories nests sections by display_order with items, types and children', async () => {
  const { data, meta } = await read('/categories');
  v.parse(v.array(sectionTreeSchema), data);
  assert.deepEqual(Object.keys(meta), ['generated_at']);
  const orders: number[] = each(data, 'display_order');
  const sorted = orders.toSorted((a, b) => a - b);
  assert.deepEqual(orders, sorted);
  assert.ok(data.every((section: SectionTree) => section.parent_id === null));
  const primi = data.find((section: SectionTree) => section.name === 'Primi piatti');
  assert.deepEqual(each(primi.children, 'name'), ['Pasta fresca', 'Risotti e zuppe']);
  assert.ok(primi.children.every((child: SectionTree) => child.parent_id === primi.id));
});

test('/categories/{id} is that section of /categories, at any depth', async () => {
  const { data } = await read('/categories');
  const primi = data.find((section: SectionTree) => section.name === 'Primi piatti');
  assert.deepEqual((await read(`/categories/${primi.id}`)).data, primi);
  const child = primi.children[0];
  assert.deepEqual((await read(`/categories/${child.id}`)).data, child);
});

test('/items/{id} is the dish of /menu, with the winery of a wine', async () => {
  const sections = (await read('/menu')).data.sections;
  const items = sections.flatMap(({ items: all }: { items: { id: number }[] }) => all);
  for (const item of items) {
    const { data } = await read(`/items/${item.id}`);
    assert.deepEqual(data, item);
    v.parse(v.strictObject(dish.shown.entries), data);
  }
});

test('/categories holds what /menu holds; ?locale= is its language and that of its parts', async () => {
  const flat = (tree: SectionTree[]): SectionTree[] =>
    tree.flatMap((section) => [section, ...flat(section.children)]);
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  const menu = (await read('/menu/en')).data.sections;
  // Before and after the answer in the default language lies ready.
  for (const query of ['?locale=en', '', '?x=1&loc%61le=EN']) {
    const tree: SectionTree[] = (await read(`/categories${query}`)).data;
    const expected = query === '' ? (await read('/menu')).data.sections : menu;
    const nested = flat(tree).map(({ children, ...section }) => section);
    assert.deepEqual(nested.toSorted(byId), expected.toSorted(byId));
  }
  const tree: SectionTree[] = (await read('/categories?locale=en')).data;
  for (const section of flat(tree)) {
    assert.deepEqual((await read(`/categories/${section.id}?locale=en`)).data, section);
    for (const item of section.items)
      assert.deepEqual((await read(`/items/${item.id}?locale=en`)).data, item);
  }
  const { data } = await read('/categories?locale=xx');
  assert.deepEqual(data, (await read('/categories?locale=it')).data);
});

test('an id that names nothing is a JSON 404', async () => {
  const ids = ['0', '-1', '999999', '2147483648', '99999999999999999999', '1.5', '1e3', 'abc'];
  for (const id of [...ids, '%20', '1%00', '01', "1'--"]) {
    for (const kind of ['items', 'categories']) {
      const { status, json, headers } = await client.get(`/${kind}/${id}`);
      assert.equal(status, 404, `/${kind}/${id}`);
      assert.deepEqual(json, { success: false, message: 'Resource not found.' });
      assert.match(headers['content-type'] ?? '', /^application\/json/);
    }
  }
});

test('/allergens has the 14 keys in five languages, Italian by default', async () => {
  const labels = new Map<string, string[]>();
  for (const locale of LOCALES) {
    const { data, meta } = await read(`/allergens?locale=${locale}`);
    assert.deepEqual(Object.keys(meta), ['generated_at']);
    assert.deepEqual(each(data, 'key'), [...allergens.keys]);
    v.parse(v.array(v.strictObject(allergens.entrySchema.entries)), data);
    labels.set(locale, each(data, 'name'));
  }
  assert.equal(labels.get('de')?.[0], 'Glutenhaltiges Getreide');
  assert.equal(new Set([...labels.values()].map(String)).size, LOCALES.length);
  assert.equal((await read('/allergens?locale=DE')).data[0].name, 'Glutenhaltiges Getreide');
  for (const path of ['/allergens', '/allergens?locale=', '/allergens?locale=xx']) {
    assert.deepEqual(each((await read(path)).data, 'name'), labels.get('it'));
  }
});

test('dishes name only allergens of the dictionary', async () => {
  const { data } = await read('/items?per_page=100');
  const used = new Set(data.flatMap(({ allergens }: { allergens: string[] }) => allergens));
  assert.ok(used.size > 10);
  assert.ok([...used].every((key) => (allergens.keys as readonly unknown[]).includes(key)));
});
