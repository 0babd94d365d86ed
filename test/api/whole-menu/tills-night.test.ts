// A till sends 800 dishes a night, and nothing is lost that the owner has changed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { tableService } from '../../support/table-service.ts';
import { often } from '../../support/thorough.ts';

const service = await tableService();
const token = await issueToken(service.db, service.tenantId, ['prices:write']);
const till = createAdminClient(service.client, token);

interface Item {
  id: number;
  external_id: string | null;
  name: Record<string, string>;
  description: Record<string, string>;
  price: number;
  allergens: string[] | null;
  variants: { external_id?: string; label: Record<string, string>; price: number }[];
}
const exported = async () => (await service.admin.get('/export')).json.data;
const itemOf = async (key: string): Promise<Item> => {
  const found = (await exported()).items.find((one: Item) => one.external_id === key);
  assert.ok(found, key);
  return found;
};
const done = async (method: string, path: string, body: unknown, by = service.admin) => {
  const type = typeof body === 'string' ? { 'Content-Type': 'text/csv' } : {};
  const answer = await by.call(method, path, body, type);
  assert.ok(answer.status < 300, answer.text.slice(0, 500));
  return answer.json;
};
const refused = async (method: string, path: string, body: unknown, by = service.admin) => {
  const { json } = (await by.call(method, path, body)).expect(422);
  return json.codes;
};
const document = (items: unknown[], more: object = {}) => {
  return { format: 'lavagna-menu/1', items, ...more };
};
const DISHES = often(160, 800);
const NIGHTS = often(4, 10);
const key = (at: number) => `till-${at}`;
const section = { external_id: 'mains', name: { it: 'Piatti' } };

test('nights of a till leave texts, allergens and dishes of the owner as they are', async () => {
  const items = Array.from({ length: DISHES }, (_, at) => ({
    ...{ external_id: key(at), category_external_id: 'mains', price: 5 },
    ...{ name: { it: `PIATTO ${at}`, en: `Dish ${at}` }, allergens: null },
    ...(at % 20 === 0 && {
      variants: [
        { external_id: 's', label: { it: 'Piccolo', en: 'Small' }, price: 5 },
        { external_id: 'l', label: { it: 'Grande', en: 'Large' }, price: 9 },
      ],
    }),
  }));
  await done('PUT', '/import', document(items, { categories: [section] }));
  const owners = new Map<number, Partial<Item>>();
  for (let night = 1; night <= NIGHTS; night += 1) {
    const at = night * 7;
    const { id } = await itemOf(key(at));
    const text = { it: `Nome ${night}`, en: `Name ${night}` };
    await done('PATCH', `/items/${id}`, { name: { it: text.it }, allergens: ['latte'] });
    await done('PATCH', `/items/${id}`, { name: { en: text.en }, description: { en: 'Fine' } });
    owners.set(at, { name: text, allergens: ['latte'], description: { en: 'Fine' } });
    const own = { category_external_id: 'mains', name: { it: `Della casa ${night}` }, price: 3 };
    await done('POST', '/items', own);
    const all = [...Array(DISHES).keys()].filter((one) => one % 20 > 0);
    const priceOf = (one: number) => (night + one / 100).toFixed(2);
    const rows = all.map((one) => `${key(one)};Kassa ${one};Warengruppe;${priceOf(one)}`);
    const table = ['external_id;name;section;price', ...rows].join('\n');
    await done('PUT', '/import', table, till);
    const operations = Array.from({ length: DISHES / 20 }, (_, one) => ({
      ...{ resource: 'items', action: 'upsert', external_id: key(one * 20) },
      data: { variants: [{ external_id: 'l', price: 10 + night }] },
    }));
    await done('POST', '/bulk', { operations }, till);
  }
  const menu = await exported();
  const ofKey = new Map<string | null, Item>(menu.items.map((one: Item) => [one.external_id, one]));
  for (let at = 0; at < DISHES; at += 1) {
    const item = ofKey.get(key(at));
    assert.ok(item);
    const own = owners.get(at);
    assert.deepEqual(item.name, own?.name ?? { it: `PIATTO ${at}`, en: `Dish ${at}` });
    assert.deepEqual(item.allergens, own?.allergens ?? null);
    assert.deepEqual(item.description, own?.description ?? {});
    if (at % 20 > 0) assert.equal(item.price, Number((NIGHTS + at / 100).toFixed(2)));
    else {
      const labels = [
        { it: 'Piccolo', en: 'Small' },
        { it: 'Grande', en: 'Large' },
      ];
      assert.deepEqual(each(item.variants, 'label'), labels);
      assert.deepEqual(each(item.variants, 'price'), [5, 10 + NIGHTS]);
    }
  }
  const houses = menu.items.filter(({ name }: Item) => name.it?.startsWith('Della casa'));
  assert.equal(houses.length, NIGHTS);
});

describe('the languages of a text', () => {
  test('stay in documents, upserts and PATCH, and go by null; PUT replaces them', async () => {
    const { id } = await itemOf(key(1));
    const operation = { resource: 'items', action: 'upsert', external_id: key(1) };
    await done('PUT', '/import', document([{ external_id: key(1), description: { it: 'a' } }]));
    const operations = [{ ...operation, data: { description: { en: 'b' } } }];
    await done('POST', '/bulk', { operations });
    await done('PATCH', `/items/${id}`, { description: { de: 'c' } });
    assert.deepEqual((await itemOf(key(1))).description, { it: 'a', en: 'b', de: 'c' });
    await done('PATCH', `/items/${id}`, { description: { en: null } });
    assert.deepEqual((await itemOf(key(1))).description, { it: 'a', de: 'c' });
    await done('PUT', `/items/${id}`, { description: { en: 'd' } });
    assert.deepEqual((await itemOf(key(1))).description, { en: 'd' });
    const codes = await refused('PATCH', `/items/${id}`, { name: { it: null } });
    assert.equal(codes['name.it'][0].rule, 'required');
  });
});

describe('a key that comes back', () => {
  test('restores its record with texts and allergens, in the section that is sent', async () => {
    const { id } = await itemOf(key(7));
    assert.equal((await service.admin.call('DELETE', `/items/${id}`)).status, 204);
    const drinks = { external_id: 'drinks', name: { it: 'Bevande' } };
    const item = { external_id: key(7), category_external_id: 'drinks', price: 4 };
    const { data } = await done('PUT', '/import', document([item], { categories: [drinks] }));
    assert.equal(data.counts.restored, 1);
    const back = await itemOf(key(7));
    const { name, allergens, price } = back;
    assert.deepEqual([back.id, name.it, allergens, price], [id, 'Nome 1', ['latte'], 4]);
    const { version } = data;
    await done('POST', `/versions/${version}/undo`, {});
    await done('PUT', '/import', document([], { categories: [drinks] }));
    assert.ok(!(await exported()).items.some((one: Item) => one.external_id === key(7)));
  });
  test('needs a place: a section returns to the first level, a dish names a section that is there', async () => {
    const inner = { external_id: 'inner', parent_external_id: 'outer', name: { it: 'Dentro' } };
    const outer = { external_id: 'outer', name: { it: 'Fuori', en: 'Outside' } };
    const dish = { external_id: 'lost', category_external_id: 'inner', name: { it: 'Perso' } };
    const item = { ...dish, price: 1, allergens: ['uova'] };
    await done('PUT', '/import', document([item], { categories: [outer, inner] }));
    const { categories } = await exported();
    const [gone, within] = [outer, inner].map(({ external_id }) =>
      categories.find((one: Item) => one.external_id === external_id),
    );
    await service.admin.call('DELETE', `/categories/${gone.id}`);
    const codes = await refused('PUT', '/import', document([{ external_id: 'lost' }]));
    assert.equal(codes['items.0.category_id'][0].rule, 'required');
    const back = { external_id: 'inner', is_active: true };
    await done('PUT', '/import', document([{ ...dish, price: 2 }], { categories: [back] }));
    const found = (await exported()).categories.find((one: Item) => one.id === within.id);
    assert.deepEqual([found.name, found.parent_id ?? null], [{ it: 'Dentro' }, null]);
    assert.deepEqual((await itemOf('lost')).allergens, ['uova']);
  });
  test('is shown again by dishes that name it, but for those that the document changes', async () => {
    const wineries = [{ external_id: 'old', name: 'Zidarich' }];
    const wines = [1, 2, 3].map((at) => ({ external_id: key(at), winery_external_id: 'old' }));
    await done('PUT', '/import', document(wines, { wineries }));
    const former = (await exported()).wineries;
    const { id } = former.find((one: Item) => one.external_id === 'old');
    assert.equal((await service.admin.call('DELETE', `/wineries/${id}`)).status, 204);
    const others = [...wineries, { external_id: 'other', name: 'Vodopivec' }];
    const sent = [
      { external_id: key(1), winery_external_id: 'other' },
      { external_id: key(2), winery_external_id: null },
    ];
    await done('PUT', '/import', document(sent, { wineries: others }));
    const named = async () => {
      const { items } = await exported();
      return [1, 2, 3].map((at) => {
        const found = items.find((one: Item) => one.external_id === key(at));
        return found.winery_external_id ?? null;
      });
    };
    assert.deepEqual(await named(), ['other', null, 'old']);
    // The next version is made from the stored records.
    await done('PATCH', '/theme', { footer_text: 'Grazie' });
    assert.deepEqual(await named(), ['other', null, 'old']);
    assert.equal((await exported()).wineries.find((one: Item) => one.external_id === 'old').id, id);
  });
  test('stays deleted when its upsert is refused', async () => {
    await refused('PUT', '/import', document([{ external_id: key(7), price: 'x' }]));
    assert.ok(!(await exported()).items.some((one: Item) => one.external_id === key(7)));
  });
});

describe('delete_missing', () => {
  const keep = async (count: number) => {
    const { items } = await exported();
    const keyed = items.filter((one: Item) => one.external_id !== null);
    return document(keyed.slice(0, keyed.length - count));
  };
  test('reaches records with a key alone, and at most a fifth of the menu', async () => {
    const { data } = await done('PUT', '/import?delete_missing=1', await keep(5));
    assert.equal(data.counts.deleted, 5);
    const houses = (await exported()).items.filter((one: Item) => one.external_id === null);
    assert.ok(houses.length >= NIGHTS);
    const many = await keep(DISHES / 2);
    const tried = await done('PUT', '/import?delete_missing=1&dry_run=1', many);
    assert.match(tried.data.to_confirm.delete_missing[0], /delete_missing=all/);
    const codes = await refused('PUT', '/import?delete_missing=1', many);
    assert.equal(codes.delete_missing[0].rule, 'deletesMany');
    const none = await refused('PUT', '/import?delete_missing=1', document([]));
    assert.equal(none.delete_missing[0].rule, 'deletesMany');
  });
  test('keeps a section in which the owner has a dish', async () => {
    const own = { category_external_id: 'drinks', name: { it: 'Vino della casa' }, price: 3 };
    await done('POST', '/items', own);
    const { categories } = await exported();
    const others = categories.filter((one: Item) => one.external_id !== 'drinks');
    const left = { format: 'lavagna-menu/1', categories: others };
    const { data } = await done('PUT', '/import?delete_missing=1', left);
    assert.equal(data.counts.deleted, 0, JSON.stringify(data.counts));
  });
});

describe('sizes', () => {
  test('have keys of their own, each once, and a price beside them is named as ignored', async () => {
    const { id } = await itemOf(key(20));
    const { meta, data } = await done('PATCH', `/items/${id}`, { price: 99 });
    assert.deepEqual([meta.ignored, data.price], [['price'], 5]);
    const priced = { resource: 'items', action: 'upsert', external_id: key(20) };
    const operations = [{ ...priced, data: { price: 99 } }];
    const bulk = await done('POST', '/bulk', { operations });
    assert.deepEqual(bulk.meta.ignored, ['operations.0.price']);
    const size = { external_id: 'x', label: { it: 'A' }, price: 1 };
    const twice = { variants: [size, { ...size, label: { it: 'B' } }] };
    assert.ok((await refused('PUT', `/items/${id}`, twice))['variants.1']);
    const unknown = { variants: [{ external_id: 'none', price: 1 }] };
    assert.ok((await refused('PATCH', `/items/${id}`, unknown))['variants.2.label']);
  });
});

describe('the scope prices:write', () => {
  test('changes prices and nothing else', async () => {
    const { id } = await itemOf(key(2));
    await done('PATCH', `/items/${id}`, { price: 77 }, till);
    await done('PUT', `/items/${id}`, { price: 78 }, till);
    assert.equal((await itemOf(key(2))).price, 78);
    for (const body of [{ name: { it: 'X' } }, { price: 1, allergens: [] }]) {
      const codes = await refused('PATCH', `/items/${id}`, body, till);
      assert.equal(Object.values<{ rule: string }[]>(codes)[0]?.[0]?.rule, 'onlyPrices');
    }
    const fresh = document([{ external_id: 'new', name: { it: 'Nuovo' }, price: 1 }]);
    const codes = await refused('PUT', '/import', fresh, till);
    assert.equal(codes['items.0.action'][0].rule, 'onlyPrices');
    for (const [method, path] of [
      ['POST', '/items'],
      ['DELETE', `/items/${id}`],
      ['PATCH', '/settings'],
      ['GET', '/export'],
      ['PUT', '/import?delete_missing=1'],
      ['PUT', '/import?delete_missing=all'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      assert.equal((await till.call(method, path, body)).status, 403, path);
    }
    const bread = { external_id: 'o', label: { it: 'Pane' }, price: 1 };
    const extra = { name: { it: 'Extra' }, options: [bread] };
    const group = await done('POST', '/modifier-groups', extra);
    const path = `/modifier-groups/${group.data.id}`;
    await done('PATCH', path, { options: [{ external_id: 'o', price: 2 }] }, till);
    const { options } = (await service.admin.get(path)).json.data;
    assert.deepEqual([options[0].label_translations, options[0].price], [{ it: 'Pane' }, 2]);
  });
});

test('an import that clears the allergens of two dishes needs confirm_allergens', async () => {
  const cleared = document([21, 28].map((at) => ({ external_id: key(at), allergens: [] })));
  const tried = await done('PUT', '/import?dry_run=1', cleared);
  assert.match(tried.data.to_confirm.confirm_allergens[0], /till-21, till-28/);
  const codes = await refused('PUT', '/import', cleared);
  assert.equal(codes.confirm_allergens[0].rule, 'allergensCleared');
  await done('PUT', '/import?confirm_allergens=1', cleared);
  assert.deepEqual((await itemOf(key(21))).allergens, []);
});
