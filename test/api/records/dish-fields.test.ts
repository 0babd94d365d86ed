// The fields of dishes: the forms that bodies may have, their bounds, and what is shown of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PRICE_UNITS } from '../../../db/schema/dish.ts';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';

type Fields = Record<string, unknown>;

const service = await adminService();

const { data } = (await service.client.get('/categories')).json;
const section = data[0].id;
const id = data[0].items[0].id;
await service.admin.call('PATCH', '/settings', { supported_locales: ['it', 'en', 'de', 'fr'] });

const change = (body: Fields) => service.admin.call('PATCH', `/items/${id}`, body);
const shown = async (locale = 'it'): Promise<Fields> => {
  const { sections } = (await service.client.get(`/menu/${locale}`)).json.data;
  return sections[0].items.find((dish: { id: number }) => dish.id === id);
};
const pick = (from: Fields, like: Fields) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]));

/** Asserts what a body is stored as, for admins and for guests. */
async function takes(body: Fields, stored: Fields): Promise<void> {
  const reply = await change(body);
  assert.equal(reply.status, 200, `${JSON.stringify(body)}: ${reply.text}`);
  assert.deepEqual(pick(reply.json.data, stored), stored, JSON.stringify(body));
  assert.deepEqual(pick(await shown(), stored), stored, JSON.stringify(body));
}

/** Asserts the only text with which a body is refused, and that nothing changes. */
async function refuses(body: Fields, field: string, text: string): Promise<void> {
  const before = await shown();
  const reply = await change(body);
  assert.equal(reply.status, 422, `${JSON.stringify(body)}: ${reply.text}`);
  assert.deepEqual(reply.json.errors, { [field]: [text] }, JSON.stringify(body));
  assert.deepEqual(await shown(), before);
}

const PLAIN = {
  price_on_request: false,
  price_unit: null,
  variants: [],
  allergens: [],
  allergens_declared: false,
  traces: [],
  additives: [],
  labels: [],
  vintage: null,
  grapes: '',
  denomination: '',
  photo_url: null,
  photo_alt: '',
  photo_alt_translations: {},
  sold_out_until: null,
  is_sold_out: false,
};

test('a dish without optional fields has the defaults, for admins and for guests', async () => {
  const body = { category_id: section, name: { it: 'Nuovo' } };
  const created = (await service.admin.call('POST', '/items', body)).json.data;
  assert.deepEqual(pick(created, PLAIN), PLAIN);
  assert.equal(created.external_id, null);
  const { data } = (await service.client.get(`/items/${created.id}`)).json;
  assert.deepEqual(pick(data, PLAIN), PLAIN);
  assert.ok(!('external_id' in data), 'guests see no external id');
});

describe('prices', () => {
  test('a unit is one of a list, or none', async () => {
    for (const price_unit of PRICE_UNITS) await takes({ price_unit }, { price_unit });
    const text = `Price unit selezionato non è valido. Valori ammessi: ${PRICE_UNITS.join(', ')}.`;
    await refuses({ price_unit: 'etto' }, 'price_unit', text);
    await takes({ price_unit: '' }, { price_unit: null });
  });

  test('a price may be on request', async () => {
    await takes({ price_on_request: '1' }, { price_on_request: true });
    const text = 'Il campo price on request deve essere vero o falso.';
    await refuses({ price_on_request: 'forse' }, 'price_on_request', text);
    await takes({ price_on_request: false }, { price_on_request: false });
  });

  test('the price of a dish with sizes is the lowest of theirs', async () => {
    const sizes = [
      { label: { it: 'Grande', de: 'Groß' }, price: 9 },
      { label: 'Piccola', price: '6.50' },
    ];
    const variants = [
      { label: 'Grande', label_translations: { it: 'Grande', de: 'Groß' }, price: 9 },
      { label: 'Piccola', label_translations: { it: 'Piccola' }, price: 6.5 },
    ];
    await takes({ variants: sizes, price: 100 }, { variants, price: 6.5 });
    await takes({ price: 3 }, { variants, price: 6.5 });
    const german = (await shown('de')).variants as { label: string }[];
    assert.deepEqual(each(german, 'label'), ['Groß', 'Piccola']);
    await takes({ variants: null, price: 8 }, { variants: [], price: 8 });
    await takes({ price: 3 }, { price: 3 });
  });

  test('there are twelve sizes at most, each with a label and a price', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ label: `${index}`, price: index }));
    assert.equal((await change({ variants: many(12) })).status, 200);
    const [label, price, long] = ['variants.0.label', 'variants.0.price', 'x'.repeat(101)];
    const wrong: [unknown, string, string][] = [
      [many(13), 'variants', 'Variants non può contenere più di 12 elementi.'],
      ['uno', 'variants', 'Variants deve essere un array.'],
      [['uno'], 'variants.0', 'variants.0 deve essere un oggetto.'],
      [[{ price: 1 }], label, `Il campo ${label} è richiesto.`],
      [[{ label: ' ', price: 1 }], label, `Il campo ${label} è richiesto.`],
      [[{ label: 5, price: 1 }], label, `${label} deve essere una stringa.`],
      [[{ label: long, price: 1 }], label, `${label} non può contenere più di 100 caratteri.`],
      [
        [{ label: { it: 'a', xx: 'b' }, price: 1 }],
        'variants.0.label.xx',
        'variants.0.label.xx selezionato non è valido. Valori ammessi: it, en, fr, de, es.',
      ],
      [[{ label: 'a' }], price, `Il campo ${price} è richiesto.`],
      [[{ label: 'a', price: -1 }], price, `${price} deve essere almeno 0.`],
      [[{ label: 'a', price: 1.234 }], price, `${price} può avere al massimo 2 decimali.`],
    ];
    for (const [variants, field, text] of wrong) await refuses({ variants }, field, text);
    await takes({ variants: [] }, { variants: [] });
  });

  test('fields of a size that have no meaning are named', async () => {
    const variants = [{ label: 'A', label_translations: { it: 'B' }, price: 1 }];
    const { json } = await change({ variants });
    assert.deepEqual(json.meta.ignored, ['variants.0.label_translations']);
    assert.equal(json.data.variants[0].label, 'A');
    await change({ variants: [] });
  });
});

describe('allergens', () => {
  test('contained, none and not declared are told apart', async () => {
    await takes({ allergens: ['latte'] }, { allergens: ['latte'], allergens_declared: true });
    await takes({ allergens: [] }, { allergens: [], allergens_declared: true });
    await takes({ name: { it: 'Olive' } }, { allergens: [], allergens_declared: true });
    await takes({ allergens: null }, { allergens: [], allergens_declared: false });
    const text = 'allergens.1 contiene un valore duplicato.';
    await refuses({ allergens: ['latte', 'latte'] }, 'allergens.1', text);
  });

  test('what may be contained is no part of what is', async () => {
    const text = 'Traces contiene un allergene che è già tra quelli contenuti.';
    const traces = ['uova'];
    await takes({ allergens: ['latte'], traces }, { traces });
    await refuses({ traces: ['latte'] }, 'traces', text);
    await refuses({ allergens: ['soia'], traces: ['soia', 'uova'] }, 'traces', text);
    // An allergen that is now certain is no longer a trace.
    await takes({ allergens: ['latte', 'uova'] }, { allergens: ['latte', 'uova'], traces: [] });
    await takes({ allergens: null, traces }, { traces, allergens_declared: false });
    await takes({ traces: null }, { traces: [] });
  });

  test('whether they are declared, and whether a dish is sold out, is only read', async () => {
    const { json } = await change({ allergens_declared: true, is_sold_out: true });
    assert.deepEqual(json.meta.ignored, ['allergens_declared', 'is_sold_out']);
    assert.equal(json.data.allergens_declared, false);
  });
});

test('additives and labels are lists of known keys', async () => {
  await takes({ additives: ['caffeine', 'colouring'] }, { additives: ['caffeine', 'colouring'] });
  await takes({ labels: ['vegan', 'frozen'] }, { labels: ['vegan', 'frozen'] });
  (await change({ additives: ['e330'], labels: ['buono'] })).refuses('additives.0', 'labels.0');
  await refuses({ labels: 'vegan' }, 'labels', 'Labels deve essere un array.');
  await refuses({ labels: ['new', 'new'] }, 'labels.1', 'labels.1 contiene un valore duplicato.');
  await takes({ additives: [], labels: null }, { additives: [], labels: [] });
});

test('dictionaries have every key, with names in five languages', async () => {
  const counts = { allergens: 14, 'allergen-kinds': 14, additives: 17, labels: 12 };
  for (const [path, count] of Object.entries(counts)) {
    const names = new Set<string>();
    for (const locale of ['it', 'en', 'fr', 'de', 'es']) {
      const { data } = (await service.client.get(`/${path}?locale=${locale}`)).json;
      assert.equal(data.length, count);
      names.add(JSON.stringify(data));
    }
    assert.equal(names.size, 5, path);
  }
});

test('a wine has a vintage, grapes and a denomination', async () => {
  const wine = { vintage: 2019, grapes: 'Vitovska', denomination: 'Carso DOC' };
  await takes({ ...wine, vintage: '2019' }, wine);
  await refuses({ vintage: 1799 }, 'vintage', 'Vintage deve essere almeno 1800.');
  await refuses({ vintage: 2201 }, 'vintage', 'Vintage non può essere superiore a 2200.');
  await refuses({ vintage: 2019.5 }, 'vintage', 'Vintage deve essere un numero intero.');
  const long = 'x'.repeat(201);
  await refuses({ grapes: long }, 'grapes', 'Grapes non può contenere più di 200 caratteri.');
  await takes({ vintage: null, grapes: '', denomination: null }, { ...wine, ...pick(PLAIN, wine) });
});

test('a photo has an address and a text in five languages', async () => {
  const photo = { photo_url: 'https://foto.example/olive.jpg' };
  const photo_alt_translations = { it: 'Olive nere', de: 'Schwarze Oliven' };
  const alt = { photo_alt: 'Olive nere', photo_alt_translations };
  await takes({ ...photo, photo_alt: photo_alt_translations }, { ...photo, ...alt });
  assert.equal((await shown('de')).photo_alt, 'Schwarze Oliven');
  assert.equal((await shown('fr')).photo_alt, 'Olive nere');
  const text = 'Il formato del campo photo url non è valido.';
  for (const photo_url of [
    '/olive.jpg',
    'javascript:alert(1)',
    'data:image/png,x',
    'http://foto.example/olive.jpg',
  ]) {
    await refuses({ photo_url }, 'photo_url', text);
  }
  await refuses({ photo_alt: 7 }, 'photo_alt', 'Photo alt deve essere un oggetto.');
  await takes({ photo_url: '', photo_alt: null }, { photo_url: null, photo_alt: '' });
});

test('the end of being sold out is a moment with an offset', async () => {
  const text = 'Sold out until non coincide con il formato ISO 8601.';
  const wrong = ['domani', '2026-01-01', '2199-02-30T00:00:00Z', '2199-01-01T12:00:00', 'infinity'];
  for (const sold_out_until of [...wrong, '9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00Z']) {
    await refuses({ sold_out_until }, 'sold_out_until', text);
  }
  await refuses({ sold_out_until: 5 }, 'sold_out_until', 'Sold out until deve essere una stringa.');
  for (const [given, sold_out_until] of [
    ['2199-05-04T20:00+02:00', '2199-05-04T18:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ]) {
    await takes({ sold_out_until: given }, { sold_out_until, is_sold_out: true });
  }
  await takes({ sold_out_until: '' }, { sold_out_until: null, is_sold_out: false });
});
