import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allergens } from '../../../db/schema/dictionary.ts';
import { adminService } from '../../support/admin.ts';

const service = await adminService();
const sections = (await service.admin.get('/categories')).json.data;

const required = (field: string) => `Il campo ${field} è richiesto.`;
const named = { category_id: 1, name: { it: 'x' } };
const nothing = {
  category_id: required('category id'),
  name: required('name'),
  'name.it': required('name.it'),
};

const LANGUAGES = 'Valori ammessi: it, en, fr, de, es.';
const BROKEN =
  'Il corpo della richiesta non è JSON valido: finisce prima del previsto, al byte 19.';
const TOO_HIGH = 'Price non può essere superiore a 99999999.99.';
const NO_SECTION = 'Category id selezionato non è valido.';
const TOO_LATE = 'Display order non può essere superiore a 2147483647.';
const NO_FORM = 'Il formato del campo name.it non è valido.';
const notSimple = {
  body: 'Il corpo della richiesta ha troppi valori, o è annidato troppo in profondità.',
  ...nothing,
};
const noUtf8 = { body: 'Il corpo della richiesta non è testo UTF-8.', ...nothing };
const noName = { name: nothing.name, 'name.it': nothing['name.it'] };

/** Values of a field and their refusal, by the place that it names: the field or a part of it. */
const BAD_VALUES: Record<string, [what: string, value: unknown, text: string][]> = {
  category_id: [
    ['a null section', null, required('category id')],
    ['a blank section', ' ', required('category id')],
    ['a section that is a word', 'primi', 'Category id deve essere un numero intero.'],
    ['a section that is a fraction', 1.5, 'Category id deve essere un numero intero.'],
    ['a section beyond all ids', 99_999_999_999, NO_SECTION],
    ['a section that is not there', 999_999, NO_SECTION],
  ],
  'name.it': [
    ['a name without a visible character', { it: '\u200b \u2060' }, nothing['name.it']],
    ['no Italian name', { en: 'x' }, nothing['name.it']],
    ['a blank name', { it: '  ' }, nothing['name.it']],
    ['a name that is a number', { it: 5 }, 'name.it deve essere una stringa.'],
    [
      'a name that is too long',
      { it: 'x'.repeat(201) },
      'name.it non può contenere più di 200 caratteri.',
    ],
    ['a NUL', { it: 'a\u0000b' }, NO_FORM],
  ],
  'name.xx': [
    ['an unknown language', { it: 'x', xx: 'y' }, `name.xx selezionato non è valido. ${LANGUAGES}`],
  ],
  'description.0': [
    ['a description that is a list', ['a'], `description.0 selezionato non è valido. ${LANGUAGES}`],
  ],
  price: [
    ['a price that is a word', 'caro', 'Price deve essere un numero.'],
    ['a price with a comma', '4,50', 'Price deve essere un numero.'],
    ['a price below 0', -0.01, 'Price deve essere almeno 0.'],
    ['a price of three decimals', 1.005, 'Price può avere al massimo 2 decimali.'],
    ['a price that is too high', 100_000_000, TOO_HIGH],
    ['a null price', null, required('price')],
  ],
  allergens: [
    ['allergens as a text', 'latte', 'Allergens deve essere un array.'],
    [
      'more allergens than there are',
      Array(30_000).fill('latte'),
      'Allergens non può contenere più di 14 elementi.',
    ],
  ],
  'allergens.0': [['a blank allergen', [' '], required('allergens.0')]],
  'allergens.1': [
    [
      'an allergen that is none',
      ['latte', 'glutine'],
      `allergens.1 selezionato non è valido. Valori ammessi: ${allergens.keys.join(', ')}.`,
    ],
  ],
  'allergens.2': [
    ['an allergen twice', ['latte', 'uova', 'latte'], 'allergens.2 contiene un valore duplicato.'],
  ],
  is_active: [['a truth that is neither', 'forse', 'Il campo is active deve essere vero o falso.']],
  display_order: [
    ['an order below 0', -1, 'Display order deve essere almeno 0.'],
    ['an order beyond integers', 2_147_483_648, TOO_LATE],
  ],
};

/** A body for `POST /admin/items` and what is said about it, one text a field. */
const BAD_DISHES: [what: string, body: unknown, errors: Record<string, string>][] = [
  ['nothing', {}, nothing],
  ['an empty body', '', nothing],
  ['malformed JSON', '{"category_id": 1,', { body: BROKEN, ...nothing }],
  ['a JSON array', '[]', nothing],
  ['JSON null', 'null', nothing],
  ['a JSON text', '"dish"', nothing],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), noUtf8],
  ['half a million brackets', '['.repeat(500_000), notSimple],
  ['a hundred thousand values', `{"category_id":[${'1,'.repeat(100_000)}1]}`, notSimple],
  ['a deep object', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, notSimple],
  ['fields of the prototype', '{"__proto__":{"category_id":1,"name":{"it":"x"}}}', nothing],
  ['no section', { name: { it: 'x' } }, { category_id: required('category id') }],
  [
    'digits beyond all numbers',
    { ...named, category_id: '9'.repeat(20), display_order: '9'.repeat(20), price: '9'.repeat(20) },
    { category_id: NO_SECTION, price: TOO_HIGH, display_order: TOO_LATE },
  ],
  ['no name', { category_id: 1 }, noName],
  ['a name that is an empty text', { ...named, name: '' }, noName],
  [
    'a name that is a text',
    { ...named, name: 'Pane' },
    { name: 'Name deve essere un oggetto.', 'name.it': nothing['name.it'] },
  ],
  ['half a character', `{"category_id":1,"name":{"it":"\\ud83c"}}`, { 'name.it': NO_FORM }],
  [
    'a price beyond numbers',
    '{"category_id":1,"name":{"it":"x"},"price":1e999}',
    { price: TOO_HIGH },
  ],
  [
    'a type and a winery that are not there',
    { ...named, type_id: 999_999, winery_id: 999_999 },
    {
      type_id: 'Type id selezionato non è valido.',
      winery_id: 'Winery id selezionato non è valido.',
    },
  ],
  ...Object.entries(BAD_VALUES).flatMap(([place, rows]) =>
    rows.map(([what, value, text]): (typeof BAD_DISHES)[number] => {
      const [field = ''] = place.split('.');
      return [what, { ...named, [field]: value }, { [place]: text }];
    }),
  ),
];

test('there are more than forty kinds of bad body', () => {
  assert.ok(BAD_DISHES.length > 40);
});

for (const [what, body, errors] of BAD_DISHES) {
  test(`${what}: 422, with every error by its field`, async () => {
    const reply = (await service.admin.call('POST', '/items', body)).expect(422);
    const lists = Object.fromEntries(
      Object.entries(errors).map(([field, said]) => [field, [said]]),
    );
    assert.deepEqual(reply.json.errors, lists);
    const [first, ...others] = Object.values(errors);
    const more = others.length === 1 ? ' (e 1 altro errore)' : ` (e ${others.length} altri errori)`;
    assert.equal(reply.json.message, others.length === 0 ? first : first + more);
    assert.equal(reply.json.success, false);
    assert.deepEqual(Object.keys(reply.json.codes), Object.keys(lists));
  });
}

test('a name of a wrong type is refused in a change, too', async () => {
  const [section] = sections;
  for (const name of ['Pane', null]) {
    const reply = await service.admin.call('PATCH', `/categories/${section?.id}`, { name });
    reply.refuses('name', 'name.it');
  }
});

/** Changes that are refused: path, body and the fields that are at fault. */
const BAD_CHANGES: [path: string, body: object, fields: string[]][] = [
  ['/settings', { name: '' }, ['name']],
  ['/settings', { email: 'iole@', review_url: 'javascript:alert(1)' }, ['review_url', 'email']],
  ['/settings', { logo_url: '/logo.svg', cover_image_url: 5 }, ['logo_url', 'cover_image_url']],
  ['/settings', { supported_locales: [] }, ['supported_locales']],
  ['/settings', { supported_locales: ['it', 'it'] }, ['supported_locales.1']],
  ['/settings', { supported_locales: ['tlh'] }, ['supported_locales.0']],
  ['/settings', { default_locale: 'fr', supported_locales: ['it', 'en'] }, ['default_locale']],
  ['/settings', { supported_locales: ['en'] }, ['default_locale']],
  ['/settings', { timezone: 'Europe/Atlantide' }, ['timezone']],
  ['/settings', { timezone: '+01:00' }, ['timezone']],
  // Node takes it for Dhaka; Postgres has no zone of that name.
  ['/settings', { timezone: 'BST', name: 'Altrove' }, ['timezone']],
  ['/settings', { is_active: null }, ['is_active']],
  ['/theme', { primary_color: 'red', text_color: '#12345' }, ['primary_color', 'text_color']],
  ['/theme', { layout_variant: 'fancy', header_style: '' }, ['layout_variant', 'header_style']],
  ['/theme', { border_radius: '8 px', font_family: 'x}' }, ['font_family', 'border_radius']],
  ['/theme', { font_url: 'http://fonts.example/a.css' }, ['font_url']],
  ['/theme', { font_url: '//evil.example/a.css' }, ['font_url']],
  ['/theme', { font_url: '/\\evil.example/a.css' }, ['font_url']],
  ['/theme', { font_url: 'https://x;sandbox/a.css' }, ['font_url']],
  ['/wineries', { name: '', website: 'kante.example' }, ['name', 'website']],
  ['/types', { name: { it: 'x' } }, ['category_id']],
  ['/categories', { name: { it: 'x' }, menu_type: 'beer' }, ['menu_type']],
  ['/categories', { name: { it: 'x' }, parent_id: 999_999 }, ['parent_id']],
  [
    '/categories',
    { name: { it: 'x' }, time_start: '24:00', time_end: '9:00' },
    ['time_start', 'time_end'],
  ],
  ['/categories', { name: { it: 'x' }, time_start: '09:00' }, ['time_end']],
  ['/categories', { name: { it: 'x' }, time_visibility_enabled: true }, ['time_start', 'time_end']],
];

for (const [path, body, fields] of BAD_CHANGES) {
  test(`${path} refuses ${JSON.stringify(body)}`, async () => {
    const method = path === '/settings' || path === '/theme' ? 'PUT' : 'POST';
    (await service.admin.call(method, path, body)).refuses(...fields);
  });
}

describe('rules about other records of the menu', () => {
  const create = async (path: string, body: object) => {
    const reply = (await service.admin.call('POST', path, body)).expect(201);
    return reply.json.data.id as number;
  };
  const errorsOf = async (method: string, path: string, body: object) => {
    const reply = await service.admin.call(method, path, body);
    return reply.status === 422 ? Object.keys(reply.json.errors) : reply.status;
  };
  const section = (parts = {}) => create('/categories', { name: { it: 'S' }, ...parts });

  test('a section is not its own ancestor, and sections nest only so deep', async () => {
    const top = await section();
    const below = await section({ parent_id: top });
    const deep = await section({ parent_id: below });
    for (const parent_id of [top, below, deep]) {
      assert.deepEqual(await errorsOf('PUT', `/categories/${top}`, { parent_id }), ['parent_id']);
    }
    assert.equal(await errorsOf('PUT', `/categories/${deep}`, { parent_id: top }), 200);
    let parent_id = deep;
    for (let level = 3; level <= 8; level += 1) parent_id = await section({ parent_id });
    const tooDeep = { name: { it: 'S' }, parent_id };
    assert.deepEqual(await errorsOf('POST', '/categories', tooDeep), ['parent_id']);
    const move = { parent_id: await section() };
    assert.deepEqual(await errorsOf('PUT', `/categories/${top}`, move), ['parent_id']);
  });

  test('restoring does not nest sections deeper than they may be', async () => {
    const top = await section();
    let parent_id = top;
    for (let level = 2; level <= 5; level += 1) parent_id = await section({ parent_id });
    const whole = await section();
    let lowest = whole;
    for (let level = 2; level <= 4; level += 1) lowest = await section({ parent_id: lowest });
    const [below] = (await service.admin.get('/categories?per_page=100')).json.data.filter(
      (one: { parent_id: number }) => one.parent_id === top,
    );
    await service.admin.call('DELETE', `/categories/${below.id}`);
    assert.equal(await errorsOf('PUT', `/categories/${top}`, { parent_id: lowest }), 200);
    const restore = `/categories/${below.id}/restore`;
    assert.deepEqual(await errorsOf('POST', restore, {}), ['parent_id']);
    assert.equal(await errorsOf('PUT', `/categories/${top}`, { parent_id: null }), 200);
    assert.equal(await errorsOf('POST', restore, {}), 200);
  });

  test('a dish’s type is one of its section’s, also when only one of them is sent', async () => {
    const [here, there] = [await section(), await section()];
    const type = await create('/types', { category_id: here, name: { it: 'T' } });
    const body = { name: { it: 'D' }, category_id: there, type_id: type };
    assert.deepEqual(await errorsOf('POST', '/items', body), ['type_id']);
    const dish = await create('/items', { ...body, category_id: here });
    assert.deepEqual(await errorsOf('PUT', `/items/${dish}`, { category_id: there }), ['type_id']);
    const move = { category_id: there, type_id: null };
    assert.equal(await errorsOf('PUT', `/items/${dish}`, move), 200);
    assert.deepEqual(await errorsOf('PUT', `/items/${dish}`, { type_id: type }), ['type_id']);
  });

  test('a type that has dishes stays in its section', async () => {
    const [here, there] = [await section(), await section()];
    const type = await create('/types', { category_id: here, name: { it: 'T' } });
    const dish = await create('/items', { name: { it: 'D' }, category_id: here, type_id: type });
    const move = { category_id: there };
    assert.deepEqual(await errorsOf('PUT', `/types/${type}`, move), ['category_id']);
    assert.equal(await errorsOf('PUT', `/items/${dish}`, { type_id: null }), 200);
    assert.equal(await errorsOf('PUT', `/types/${type}`, move), 200);
  });

  test('a deleted record cannot be referred to', async () => {
    const gone = await section();
    await service.admin.call('DELETE', `/categories/${gone}`);
    const dish = { name: { it: 'D' }, category_id: gone };
    assert.deepEqual(await errorsOf('POST', '/items', dish), ['category_id']);
    const below = { name: { it: 'S' }, parent_id: gone };
    assert.deepEqual(await errorsOf('POST', '/categories', below), ['parent_id']);
  });

  test('times stay a pair through partial changes', async () => {
    const id = await section({ time_start: '12:00', time_end: '15:00' });
    const path = `/categories/${id}`;
    assert.deepEqual(await errorsOf('PUT', path, { time_end: null }), ['time_end']);
    assert.equal(await errorsOf('PUT', path, { time_visibility_enabled: true }), 200);
    assert.equal(await errorsOf('PUT', path, { time_start: '22:00', time_end: '02:00' }), 200);
    const none = { time_start: null, time_end: null };
    assert.deepEqual(await errorsOf('PUT', path, none), ['time_start', 'time_end']);
    assert.equal(await errorsOf('PUT', path, { ...none, time_visibility_enabled: false }), 200);
  });

  test('nothing of a refused write is kept', async () => {
    const { total } = (await service.admin.get('/items')).json.meta;
    await service.admin.call('POST', '/items', { ...named, winery_id: 999_999 });
    assert.equal((await service.admin.get('/items')).json.meta.total, total);
  });
});
