// Fields that laws ask for: cereals and nuts, measures, origins, charges.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ALLERGEN_OF, allergenKinds, KINDS_OF } from '../../../db/schema/dictionary.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { adminService } from '../../support/admin.ts';
import { seed } from '../../support/seed.ts';

type Fields = Record<string, unknown>;

const service = await adminService();

const { data } = (await service.client.get('/categories')).json;
const section = data[0].id;
const body = { category_id: section, name: { it: 'Torta di prova' } };
const id = (await service.admin.call('POST', '/items', body)).json.data.id;

const change = (body: Fields) => service.admin.call('PATCH', `/items/${id}`, body);
const shown = async () => (await service.client.get(`/items/${id}`)).json.data as Fields;

async function takes(body: Fields): Promise<Fields> {
  return (await change(body)).expect(200).json.data;
}

async function refuses(body: Fields, field: string, rule: string): Promise<void> {
  const reply = await change(body);
  assert.equal(reply.status, 422, `${JSON.stringify(body)}: ${reply.text}`);
  assert.equal(reply.json.codes[field]?.[0]?.rule, rule, reply.text);
}

test('a menu that uses none of these fields has none of them in its JSON', async () => {
  const { sections, settings } = (await service.client.get('/menu')).json.data;
  const dishes = sections.flatMap(({ items }: { items: Fields[] }) => items);
  const isLeftOut = ({ fields }: RecordType, shown: Fields[]) => {
    const sparse = Object.keys(fields).filter((name) => fields[name]?.isSparse);
    assert.ok(sparse.length > 5 && shown.length > 0);
    const found = sparse.filter((name) => shown.some((one) => name in one));
    assert.deepEqual(found, []);
  };
  isLeftOut(records.items, dishes);
  isLeftOut(records.settings, [settings]);
});

describe('allergen_detail', () => {
  test('it is taken below a contained allergen and below a trace', async () => {
    const detail = ['grano', 'mandorle', 'noci'];
    const body = { allergens: ['cereali_glutine'], traces: ['frutta_guscio'] };
    const taken = await takes({ ...body, allergen_detail: detail });
    assert.deepEqual(taken.allergen_detail, detail);
    assert.deepEqual((await shown()).allergen_detail, detail);
  });

  test('it is refused without its allergen, and when a word is none of the list', async () => {
    await takes({ allergens: ['latte'], traces: [], allergen_detail: [] });
    await refuses({ allergen_detail: ['noci'] }, 'allergen_detail', 'withoutAllergen');
    await refuses({ allergen_detail: ['ghiande'] }, 'allergen_detail.0', 'oneOf');
    assert.ok(!('allergen_detail' in (await shown())), 'guests’ JSON has it only where it is set');
  });

  test('it goes with its allergen, and stays below the other one', async () => {
    const both = { allergens: ['cereali_glutine', 'frutta_guscio'], traces: [] };
    await takes({ ...both, allergen_detail: ['segale', 'pistacchi'] });
    const left = await takes({ allergens: ['frutta_guscio'] });
    assert.deepEqual(left.allergen_detail, ['pistacchi']);
    assert.deepEqual((await takes({ allergens: null })).allergen_detail, []);
  });
});

test('GET /items excludes a dish by one nut exactly when it names it, or names none', async () => {
  const dishes = fc.record({
    allergens: fc.option(fc.subarray(['cereali_glutine', 'frutta_guscio', 'latte'])),
    traces: fc.subarray(['cereali_glutine', 'frutta_guscio']),
    kinds: fc.subarray([...allergenKinds.keys]),
  });
  await fc.assert(
    fc.asyncProperty(dishes, async ({ allergens, traces, kinds }) => {
      const possible = traces.filter((key) => !allergens?.includes(key));
      const has = [...(allergens ?? []), ...possible];
      const named = kinds.filter((kind) => has.includes(ALLERGEN_OF.get(kind) ?? ''));
      await takes({ allergens, traces: possible, allergen_detail: named });
      for (const [key, own] of Object.entries(KINDS_OF)) {
        for (const kind of own) {
          const query = `exclude_allergens=${kind}&search=torta+prova&per_page=100`;
          const { json } = await service.client.get(`/items?${query}`);
          const isShown = json.data.some((dish: Fields) => dish.id === id);
          const namesNone = !named.some((one) => ALLERGEN_OF.get(one) === key);
          const mayHave = has.includes(key) && (named.includes(kind) || namesNone);
          const isDue = allergens !== null && !mayHave;
          assert.equal(isShown, isDue, `${kind}: ${JSON.stringify(named)}`);
        }
      }
    }),
    { seed, numRuns: 8 },
  );
});

describe('measures', () => {
  test('a volume and an alcohol of a dish and of its sizes', async () => {
    const variants = [{ label: 'Piccola', price: 3, volume_ml: 200, abv_percent: 4.9 }];
    const data = await takes({ volume_ml: 750, abv_percent: '12.5', serves: 2, variants });
    assert.deepEqual([data.volume_ml, data.abv_percent, data.serves], [750, 12.5, 2]);
    assert.deepEqual((data.variants as Fields[])[0]?.volume_ml, 200);
    const [size] = (await shown()).variants as Fields[];
    assert.deepEqual([size?.volume_ml, size?.abv_percent], [200, 4.9]);
  });

  test('an alcohol with two decimals and a volume of 0 are refused', async () => {
    await refuses({ abv_percent: 12.55 }, 'abv_percent', 'decimals');
    await refuses({ abv_percent: 101 }, 'abv_percent', 'max');
    await refuses({ volume_ml: 0 }, 'volume_ml', 'min');
    await refuses({ serves: 1.5 }, 'serves', 'integer');
  });

  test('a size without them is stored and shown without them', async () => {
    await takes({ volume_ml: null, abv_percent: null, serves: null });
    await takes({ variants: [{ label: 'Una', price: 5, volume_ml: null }] });
    const dish = await shown();
    const [size] = dish.variants as Fields[];
    assert.deepEqual(Object.keys(size ?? {}), ['label', 'label_translations', 'price']);
    assert.ok(!('volume_ml' in dish) && !('serves' in dish));
  });
});

describe('origins', () => {
  test('each has a kind, places and texts; what is left out is empty', async () => {
    const origins = [
      { kind: 'beef', born: 'IE', reared: 'IT', slaughtered: 'IT' },
      { ingredient: { it: 'Salmone' }, kind: 'fish', country: 'non_EU', catch_area: 'FAO 27' },
    ];
    const data = await takes({ origins });
    const empty = { country: null, born: null, reared: null, slaughtered: null };
    const [beef, salmon] = data.origins as Fields[];
    const none = { ingredient: '', ingredient_translations: {}, catch_area: '', note: '' };
    assert.deepEqual(beef, { ...none, ...empty, ...origins[0] });
    const named = { ingredient: 'Salmone', ingredient_translations: { it: 'Salmone' } };
    assert.deepEqual(salmon, { ...none, ...empty, ...origins[1], ...named });
    assert.deepEqual((await shown()).origins, data.origins);
  });

  test('a country that is none, and an ingredient of no kind and no name, are refused', async () => {
    await refuses({ origins: [{ kind: 'beef', country: 'XX' }] }, 'origins.0.country', 'country');
    await refuses({ origins: [{ kind: 'game' }] }, 'origins.0.kind', 'oneOf');
    await refuses({ origins: [{ country: 'IT' }] }, 'origins.0.ingredient', 'required');
    const many = Array.from({ length: 9 }, () => ({ kind: 'pork' }));
    await refuses({ origins: many }, 'origins', 'maxItems');
  });
});

describe('facts of wines and of sold-out dishes', () => {
  test('a year takes “non-vintage” away, and the other way round', async () => {
    assert.equal((await takes({ vintage: 2020 })).non_vintage, false);
    const blend = await takes({ non_vintage: true });
    assert.deepEqual([blend.vintage, blend.non_vintage], [null, true]);
    await refuses({ vintage: 2020, non_vintage: true }, 'non_vintage', 'yearOfBlend');
    assert.equal((await takes({ vintage: 2021 })).non_vintage, false);
  });

  test('the note why a dish is sold out goes when it is back', async () => {
    await takes({ sold_out_until: 'indefinitely', sold_out_note: { it: 'Torna venerdì' } });
    assert.equal((await shown()).sold_out_note, 'Torna venerdì');
    assert.equal((await takes({ sold_out_until: null })).sold_out_note, '');
  });
});

describe('settings', () => {
  const settings = (body: Fields) => service.admin.call('PATCH', '/settings', body);

  test('country, region, size and charges are stored, and shown where they are set', async () => {
    const before = (await service.client.get('/restaurant')).json.data;
    assert.ok(!('country' in before) && !('cover_charge' in before));
    const body = {
      ...{ country: 'US', region: 'US-CA', chain_size: 'us_20', cover_charge: 2.5 },
      ...{ service_charge_percent: 12.5, prices_exclude_tax: true },
    };
    (await settings(body)).expect(200);
    const { data } = (await service.client.get('/restaurant')).json;
    for (const [name, value] of Object.entries(body)) assert.equal(data[name], value, name);
  });

  test('a country is in the address that search engines read, beside the street', async () => {
    const addressOf = async () => {
      const { text } = await service.client.send('/');
      const [, json = ''] =
        /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(text) ?? [];
      const graph = JSON.parse(json)['@graph'] ?? [JSON.parse(json)];
      return graph.find((one: Fields) => one.address)?.address;
    };
    await settings({ address: 'Via Roma 1, Trieste', country: 'IT' });
    const street = { '@type': 'PostalAddress', streetAddress: 'Via Roma 1, Trieste' };
    assert.deepEqual(await addressOf(), { ...street, addressCountry: 'IT' });
    await settings({ country: '' });
    assert.deepEqual(await addressOf(), street);
  });

  test('a region goes with its country, and one of another country is refused', async () => {
    await settings({ country: 'US', region: 'US-CA' });
    assert.equal((await settings({ country: 'IT' })).json.data.region, '');
    const reply = await settings({ region: 'US-CA' });
    assert.equal(reply.json.codes?.region?.[0]?.rule, 'notOfCountry', reply.text);
    const wrong = await settings({ country: 'it' });
    assert.equal(wrong.json.codes?.country?.[0]?.rule, 'country', wrong.text);
  });
});

describe('tables', () => {
  const table = (columns: string, cells: string) =>
    service.admin.importTable(`id;${columns}\n${id};${cells}\n`, '?dry_run=0');

  test('cells may have units, decimal commas, names of nuts and places, as people write them', async () => {
    await takes({ allergens: ['frutta_guscio'], variants: [], origins: [] });
    const columns = 'volume_ml;abv_percent;serves;allergen_detail;origins;portion_it';
    const cells = '0,75 l;12,5 %;2;Noci, Mandorle;"Carne bovina: Italia; Grana: FR";8 pezzi';
    (await table(columns, cells)).expect(200);
    const dish = await shown();
    assert.deepEqual([dish.volume_ml, dish.abv_percent, dish.serves], [750, 12.5, 2]);
    assert.deepEqual([dish.allergen_detail, dish.portion], [['noci', 'mandorle'], '8 pezzi']);
    const placeOf = ({ kind, ingredient, country }: Fields) => [kind, ingredient, country];
    assert.deepEqual((dish.origins as Fields[]).map(placeOf), [
      ['beef', '', 'IT'],
      ['other', 'Grana', 'FR'],
    ]);
  });

  test('an export is read back without a change, and a place that is none is refused', async () => {
    const csv = (await service.admin.get('/export?format=csv')).text;
    const again = (await service.admin.importTable(csv)).expect(200);
    const { results = [] } = again.json.data;
    const changed = results.filter(({ outcome }: Fields) => outcome !== 'unchanged');
    assert.deepEqual(changed, []);
    assert.equal((await table('origins', 'Manzo: Atlantide')).status, 422);
  });
});
