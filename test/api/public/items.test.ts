import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const service = await menuService([trattoria, pizzeria]);
const { client, db, gateway } = service;

/** All visible dishes of the trattoria in the order of `/menu`. */
const all: Dish[] = (await client.get('/menu')).json.data.sections.flatMap(
  ({ items }: { items: Dish[] }) => items,
);

async function items(query: string): Promise<{ data: Dish[]; meta: Record<string, unknown> }> {
  const response = await client.get(`/items${query}`);
  assert.equal(response.status, 200, query);
  return response.json;
}

describe('paging', () => {
  test('50 a page, in the order of /menu, with its figures in meta', async () => {
    const { data, meta } = await items('');
    assert.deepEqual(data, all.slice(0, 50));
    const { generated_at, ...rest } = meta;
    assert.match(String(generated_at), /^\d{4}-.*\+00:00$/);
    const last_page = Math.ceil(all.length / 50);
    assert.deepEqual(rest, { locale: 'it', total: all.length, page: 1, per_page: 50, last_page });
  });

  test('the pages together are the whole, each dish once', async () => {
    const pages: Dish[] = [];
    const last = Math.ceil(all.length / 7);
    for (let page = 1; page <= last; page += 1) {
      const { data, meta } = await items(`?per_page=7&page=${page}`);
      assert.equal(meta.page, page);
      assert.equal(meta.last_page, last);
      pages.push(...data);
    }
    assert.deepEqual(pages, all);
  });

  test('past the end there is nothing, with 200', async () => {
    const { data, meta } = await items('?page=999');
    assert.deepEqual(data, []);
    assert.equal(meta.page, 999);
    assert.equal(meta.total, all.length);
  });

  test('per_page is clamped to 1…100, and 50 when it is no number', async () => {
    const cases = { '0': 1, '-5': 1, '1': 1, '100': 100, '101': 100, '99999999999999999999': 100 };
    for (const [given, taken] of Object.entries(cases)) {
      const { data, meta } = await items(`?per_page=${given}`);
      assert.equal(meta.per_page, taken, given);
      assert.equal(data.length, Math.min(taken, all.length));
    }
    for (const given of ['', 'abc', '1.5', '1e2', '%F0%9F%8D%95']) {
      assert.equal((await items(`?per_page=${given}`)).meta.per_page, 50, given);
    }
  });

  test('page is 1 when it is below or no whole number', async () => {
    for (const given of ['0', '-1', 'abc', '1.5', '', '%00']) {
      assert.equal((await items(`?page=${given}`)).meta.page, 1, given);
    }
  });
});

describe('filters', () => {
  test('category_id: the dishes of that section', async () => {
    const id = all[20]?.category_id;
    const { data, meta } = await items(`?category_id=${id}`);
    const own = all.filter(({ category_id }) => category_id === id);
    assert.deepEqual(data, own);
    assert.equal(meta.total, data.length);
  });

  test('type_id: the dishes of that sub-category', async () => {
    const id = all.find(({ type_id }) => type_id !== null)?.type_id;
    const { data } = await items(`?type_id=${id}`);
    const own = all.filter(({ type_id }) => type_id === id);
    assert.deepEqual(data, own);
  });

  test('is_recommended: 1 or true only those, 0 or false only the others', async () => {
    const recommended = all.filter((dish) => dish.is_recommended);
    const others = all.filter((dish) => !dish.is_recommended);
    assert.ok(recommended.length > 0);
    for (const yes of ['1', 'true']) {
      assert.deepEqual((await items(`?per_page=100&is_recommended=${yes}`)).data, recommended);
    }
    for (const no of ['0', 'false']) {
      assert.deepEqual((await items(`?per_page=100&is_recommended=${no}`)).data, others);
    }
  });

  test('together they narrow', async () => {
    const id = all.find((dish) => dish.is_recommended)?.category_id;
    const { data } = await items(`?category_id=${id}&is_recommended=1&search=a`);
    assert.ok(data.length > 0);
    assert.ok(data.every((dish) => dish.category_id === id && dish.is_recommended));
  });

  test('an id that exists nowhere or in another restaurant finds nothing', async () => {
    const { json } = await gateway.client('pizzeria').get('/items');
    for (const id of [json.data[0].category_id, 999_999, -1, 0]) {
      assert.deepEqual((await items(`?category_id=${id}`)).data, []);
    }
  });

  test('a blank filter is no filter, and of a repeated one the last counts', async () => {
    assert.equal((await items('?category_id=&search=+&type_id=')).meta.total, all.length);
    for (const none of ['9223372036854775808', '-1', '%2B999999']) {
      assert.equal((await items(`?category_id=${none}`)).meta.total, 0);
    }
    const id = all[0]?.category_id;
    assert.equal((await items(`?category_id=999&category_id=${id}`)).data[0]?.id, all[0]?.id);
  });

  test('what breaks a rule is a 422 with every error, in Italian', async () => {
    const query = `category_id=abc&type_id=1.5&is_recommended=2&search=${'x'.repeat(201)}`;
    const { json } = (await client.get(`/items?${query}`)).expect(422);
    assert.deepEqual(json, {
      success: false,
      message: 'Category id deve essere un numero intero. (e 3 altri errori)',
      errors: {
        category_id: ['Category id deve essere un numero intero.'],
        type_id: ['Type id deve essere un numero intero.'],
        is_recommended: ['Il campo is recommended deve essere vero o falso.'],
        search: ['Search non può contenere più di 200 caratteri.'],
      },
      codes: {
        category_id: [{ rule: 'integer' }],
        type_id: [{ rule: 'integer' }],
        is_recommended: [{ rule: 'boolean' }],
        search: [{ rule: 'maxLength', max: 200 }],
      },
    });
    const one = await client.get('/items?category_id=x');
    assert.equal(one.json.message, 'Category id deve essere un numero intero.');
  });
});

describe('search', () => {
  before(async () => {
    const section = sectionOf('S', [
      dishOf('Tiramisù', { description: { it: 'Mascarpone e caffè', en: 'Coffee cream' } }),
      dishOf('Crème brûlée', { description: { it: 'Crosta di ZUCCHERO' } }),
      dishOf('Straßenburger'),
      dishOf('Bœuf bourguignon', { description: { it: 'Manzo, vino e caffè' } }),
    ]);
    await plant(db, restaurantOf('search', [section]));
  });

  async function found(text: string, locale = 'it'): Promise<string[]> {
    const query = `search=${encodeURIComponent(text)}&locale=${locale}`;
    const { json } = await gateway.client('search').get(`/items?${query}`);
    return json.data.map(({ name }: Dish) => name);
  }

  test('ignores case and accents, in the text and in the query', async () => {
    for (const text of ['tiramisu', 'TIRAMISÙ', 'tiramisú', 'ramis']) {
      assert.deepEqual(await found(text), ['Tiramisù'], text);
    }
    assert.deepEqual(await found('creme BRULEE'), ['Crème brûlée']);
    assert.deepEqual(await found('zucchero'), ['Crème brûlée']);
    assert.deepEqual(await found('strasse'), ['Straßenburger']);
    assert.deepEqual(await found('boeuf'), ['Bœuf bourguignon']);
  });

  test('wants every word, in the name or the description, in any order', async () => {
    assert.deepEqual(await found('caffe'), ['Tiramisù', 'Bœuf bourguignon']);
    assert.deepEqual(await found('caffè  tiramisu'), ['Tiramisù']);
    assert.deepEqual(await found('caffè zucchero'), []);
  });

  test('looks at the texts of the locale', async () => {
    assert.deepEqual(await found('coffee', 'en'), ['Tiramisù']);
    assert.deepEqual(await found('coffee', 'it'), []);
    assert.deepEqual(await found('mascarpone', 'en'), []);
  });

  test('takes signs literally and survives what is no text', async () => {
    for (const text of ['%', '.*', '\\', "'; drop table dishes; --", '\u0000', '🍕']) {
      assert.deepEqual(await found(text), [], text);
    }
    (await gateway.client('search').get('/items?search=%FF%FE%')).expect(200);
  });
});

test('locale chooses the language, Italian where it is unknown or not supported', async () => {
  assert.equal((await items('?locale=en')).meta.locale, 'en');
  assert.equal((await items('?locale=EN')).meta.locale, 'en');
  assert.equal((await items('?loc%61le=en')).meta.locale, 'en');
  assert.equal((await items('?locale=xx')).meta.locale, 'it');
  assert.equal((await items('?page=1&%6C%6f%63%61%6c%65=de&x=locale')).meta.locale, 'de');
  assert.equal((await items('?locale=xx&locale=en')).meta.locale, 'en');
  assert.equal((await items('?locale=en&locale=')).meta.locale, 'it');
  assert.equal((await items('?relocale=en&locales=en')).meta.locale, 'it');
  assert.equal((await gateway.client('pizzeria').get('/items')).json.meta.locale, 'de');
  assert.equal((await gateway.client('pizzeria').get('/items?locale=fr')).json.meta.locale, 'it');
});
