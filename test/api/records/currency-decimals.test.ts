// Prices have the decimals of the restaurant's currency, by whatever way they come and wherever they are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyDecimals } from '../../../db/schema/values/currency.ts';
import { adminService } from '../../support/admin.ts';
import { fallBackTo } from '../../support/fallback-language.ts';
import type { Response } from '../../support/http.ts';
import { formOf } from '../../support/page-forms.ts';
import { addUser, signedIn } from '../../support/panel.ts';

const service = await adminService();
const section = (await service.client.get('/categories')).json.data[0].id;
await addUser(service.db, service.tenantId);
const visitor = await signedIn(service.client);
await service.sql('update dishes set price = 10');

const { call, importTable } = service.admin;
const dishBody = (more: object) => ({ category_id: section, name: { it: 'Prova' }, ...more });
const errorsOf = ({ json }: Response) => json.errors;
const most = (field: string, max: number) => [
  `${field.includes('.') ? field : 'Price'} può avere al massimo ${max} decimali.`,
];

async function inCurrency(currency: string): Promise<void> {
  (await call('PATCH', '/settings', { currency })).expect(200);
}

async function create(path: string, body: object): Promise<number> {
  return (await call('POST', path, body)).expect(201).json.data.id;
}

test('decimals of currencies are those of ISO 4217, whatever shops do', () => {
  const codes = ['EUR', 'HUF', 'RSD', 'ALL', 'JPY', 'ISK', 'KWD', 'TND', 'CLF', 'CHF'];
  assert.deepEqual(codes.map(currencyDecimals), [2, 2, 2, 2, 0, 0, 3, 3, 4, 2]);
});

const group = (price: number) => ({
  name: { it: 'Salse' },
  options: [{ label: { it: 'Aioli' }, price }],
});
const parts: [string, (price: number) => object][] = [
  ['variants.0.price', (price) => ({ variants: [{ label: { it: 'Grande' }, price }] })],
  ['offers.0.price', (price) => ({ offers: [{ label: { it: 'Presto' }, price }] })],
  [
    'courses.0.options.0.surcharge',
    (surcharge) => ({
      courses: [{ label: { it: 'Primo' }, options: [{ label: { it: 'Riso' }, surcharge }] }],
    }),
  ],
];

test('a price with more decimals than the currency has is refused wherever a body has one', async () => {
  const wrong: [string, number, number][] = [
    ['JPY', 0, 1200.5],
    ['EUR', 2, 1.255],
    ['KWD', 3, 1.2505],
  ];
  for (const [currency, max, price] of wrong) {
    await inCurrency(currency);
    const dish = (await call('POST', '/items', dishBody({ price }))).expect(422);
    assert.deepEqual(errorsOf(dish), { price: most('price', max) });
    for (const [field, more] of parts) {
      const reply = await call('POST', '/items', dishBody(more(price)));
      assert.deepEqual(errorsOf(reply), { [field]: most(field, max) }, currency);
    }
    const options = await call('POST', '/modifier-groups', group(price));
    assert.deepEqual(errorsOf(options), { 'options.0.price': most('options.0.price', max) });
    const operations = [{ resource: 'items', action: 'create', data: dishBody({ price }) }];
    const bulk = await call('POST', '/bulk', { operations });
    assert.deepEqual(errorsOf(bulk), { 'operations.0.price': most('price', max) });
    const items = [dishBody({ price })];
    const document = await call('PUT', '/import', { format: 'lavagna-menu/1', items });
    const [sentence = ''] = most('Price', max);
    assert.deepEqual(Object.values(errorsOf(document)), [[`Prova, «${price}»: ${sentence}`]]);
    const csv = `category_id,name_it,price\n${section},Tavola,${price}\n`;
    const table = (await importTable(csv, '?decimal_sign=.')).expect(422);
    table.shows(new RegExp(`al massimo ${max} decimali`));
  }
});

test('the panel refuses it in words, keeps what was typed, and rounds in steps of the currency', async () => {
  await inCurrency('KWD');
  const id = await create('/items', dishBody({ name: { it: 'Machbous' }, price: 2.75 }));
  const path = `/admin/menu/items/${id}`;
  const page = await visitor.get(path);
  assert.deepEqual(formOf(page.text).price, ['2,750']);
  const refused = await visitor.post(path, { ...formOf(page.text), price: '2,7505', do: 'save' });
  refused.expect(422).shows(/Al massimo 3 decimali/);
  assert.deepEqual(formOf(refused.text).price, ['2,7505']);
  (await visitor.post(path, { ...formOf(page.text), price: '2.250', do: 'save' })).expect(303);
  assert.equal((await service.client.get(`/items/${id}`)).json.data.price, 2.25);
  const list = `/admin/menu?section=${section}`;
  const form = formOf((await visitor.get(list)).text, 'list');
  const asked = { ...form, chosen: [String(id)], percent: '7', do: 'many-review' };
  const review = await visitor.post(list, asked);
  review.shows(/<td>2,250<\/td><td><b>2,408<\/b>/, /A passi di 0,010/);
  const rounded = { ...formOf(review.text, 'price-review'), rounding: '0.050' };
  assert.equal((await visitor.post(list, { ...rounded, do: 'many-percent' })).status, 303);
  assert.equal((await service.client.get(`/items/${id}`)).json.data.price, 2.4);
  await call('DELETE', `/items/${id}`);
});

test('page, API, JSON-LD and tables show the same decimals', async () => {
  for (const [currency, price, shown, marked] of [
    ['KWD', 1.255, /1,255/, '"price":"1.255"'],
    ['JPY', 1200, /1200\s|1\.200/, '"price":"1200"'],
    ['EUR', 12.5, /12,50/, '"price":"12.50"'],
  ] as const) {
    await inCurrency(currency);
    const id = await create('/items', dishBody({ name: { it: 'Conto' }, price }));
    assert.equal((await service.client.get(`/items/${id}`)).json.data.price, price);
    assert.ok((await service.client.send('/')).shows(shown).text.includes(marked), currency);
    const table = (await service.admin.get('/export?format=csv')).text;
    assert.match(table, new RegExp(`,${String(price).replace('.', '\\.')},`));
    await call('DELETE', `/items/${id}`);
  }
});

test('a table of prices with three digits behind a sign is read by the currency', async () => {
  const importOf = async (csv: string, id: number) => {
    (await importTable(csv)).expect(200);
    return (await service.client.get(`/items/${id}`)).json.data.price;
  };
  await inCurrency('KWD');
  const id = await create('/items', dishBody({ name: { it: 'Tavola' }, price: 1 }));
  assert.equal(await importOf(`id,price\n${id},1.255\n`, id), 1.255);
  assert.equal(await importOf(`id;price\n${id};2,255\n`, id), 2.255);
  assert.equal((await call('PATCH', `/items/${id}`, { price: 2 })).status, 200);
  await inCurrency('JPY');
  assert.equal(await importOf(`id;price\n${id};1,250\n`, id), 1250);
  assert.equal(await importOf(`id;price\n${id};1.300\n`, id), 1300);
  await call('DELETE', `/items/${id}`);
});

test('a currency with fewer decimals is refused while prices have more, and names them', async () => {
  await inCurrency('EUR');
  const dish = await create('/items', dishBody({ name: { it: 'Zuppa' }, price: 9.5 }));
  const sauces = await create('/modifier-groups', group(0.5));
  const refused = (await call('PATCH', '/settings', { currency: 'JPY' })).expect(422);
  assert.deepEqual(errorsOf(refused), {
    currency: ['Currency ammette al massimo 0 decimali, e 2 prezzi ne hanno di più: Zuppa, Salse.'],
  });
  const [code] = refused.json.codes.currency;
  assert.deepEqual([code.rule, code.n, code.max], ['currencyPrices', 2, 0]);
  const page = await visitor.get('/admin/restaurant');
  const form = { ...formOf(page.text), currency: 'JPY', do: 'save' };
  const told = (await visitor.post('/admin/restaurant', form)).expect(422);
  told.shows(/2 prezzi ne hanno di più: Zuppa, Salse/);
  // Prices and the currency change together.
  const operations = [
    { resource: 'settings', action: 'update', data: { currency: 'JPY' } },
    { resource: 'items', action: 'update', id: dish, data: { price: 950 } },
    { resource: 'modifier_groups', action: 'update', id: sauces, data: group(50) },
  ];
  (await call('POST', '/bulk', { operations })).expect(200);
  const { version } = (await service.admin.get('/versions')).json.data[0];
  (await call('POST', `/versions/${version}/undo`, {})).expect(200);
  assert.equal((await service.client.get(`/items/${dish}`)).json.data.price, 9.5);
  assert.equal((await service.client.get('/restaurant')).json.data.currency, 'EUR');
  await call('DELETE', `/items/${dish}`);
  await call('DELETE', `/modifier-groups/${sauces}`);
  await inCurrency('JPY');
  const back = await call('POST', `/items/${dish}/restore`);
  assert.deepEqual(errorsOf(back), { price: most('price', 0) }, 'it comes back with its price');
});

test('a version comes back in a restaurant with another fallback language and currency', async () => {
  await inCurrency('KWD');
  await fallBackTo(service, 'el', { supported_locales: ['el'], default_locale: 'el' });
  const name = { el: 'Σούπα' };
  const id = await create('/items', { category_id: section, name, price: 1.255 });
  (await call('PATCH', `/items/${id}`, { price: 1.5, name: { el: 'Ζωμός' } })).expect(200);
  const { version } = (await service.admin.get('/versions')).json.data[0];
  (await call('POST', `/versions/${version}/undo`, {})).expect(200);
  const { data } = (await service.client.get(`/items/${id}`)).json;
  assert.deepEqual([data.name, data.price], ['Σούπα', 1.255]);
});
