// The checklist of a house's country, before and after its menu is filled: Italy, Germany,
// Switzerland and a chain in California.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';

type Json = Record<string, unknown>;
interface Missing {
  resource: string;
  id: number;
  name: string;
  field: string;
}
interface Rule {
  rule: string;
  title: string;
  law: string;
  source: string;
  applies: boolean;
  is_met: boolean;
  missing: Missing[];
}

const service = await adminService();
const ids: Record<string, number> = {};

const DISHES: Record<string, Json> = {
  steak: { name: { it: 'Tagliata' }, price: 22, allergens: [] },
  trout: { name: { it: 'Trota' }, price: 18, allergens: ['pesce'] },
  cake: { name: { it: 'Torta' }, price: 6, allergens: ['cereali_glutine', 'frutta_guscio'] },
  soup: { name: { it: 'Zuppa' }, price: 7, labels: ['vegan'] },
  catch: { name: { it: 'Pescato' }, price: 0, price_on_request: true, allergens: ['pesce'] },
  beer: { name: { it: 'Birra' }, price: 4, price_unit: 'glass', allergens: ['cereali_glutine'] },
};

const menu = (await service.admin.get('/export')).json.data;
const sections = [{ external_id: 'carta', name: { it: 'Carta' } }];
const items = Object.entries(DISHES).map(([key, dish]) => {
  return { external_id: key, category_external_id: 'carta', ...dish };
});
const document = { format: menu.format, categories: sections, items, types: [], wineries: [] };
(await service.admin.call('PUT', '/import?delete_missing=all', document)).expect(200);
const dishes: Json[] = (await service.admin.get('/items?per_page=100')).json.data;
for (const { external_id, id } of dishes) ids[String(external_id)] = Number(id);

async function live(settings: Json): Promise<Map<string, Rule>> {
  (await service.admin.call('PATCH', '/settings', settings)).expect(200);
  return checklist();
}

async function checklist(query = ''): Promise<Map<string, Rule>> {
  const reply = (await service.admin.get(`/checklist${query}`)).expect(200);
  const rules: Rule[] = reply.json.data;
  for (const one of rules) {
    assert.equal(one.is_met, one.missing.length === 0, one.rule);
    assert.ok(one.title && one.law && /^https:\/\//.test(one.source), one.rule);
    if (!one.applies) assert.deepEqual(one.missing, []);
  }
  return new Map(rules.map((one) => [one.rule, one]));
}

const lacking = (rules: Map<string, Rule>, rule: string) => {
  const found = rules.get(rule);
  assert.ok(found, `there is a rule ${rule}`);
  const names = Object.entries(ids);
  return found.missing.map(({ resource, id, field }) => {
    const dish = resource === 'items' && names.find(([, one]) => one === id);
    return `${dish ? dish[0] : resource} ${field}`;
  });
};

const unmet = async () => [...(await checklist()).values()].filter((one) => !one.is_met);

const fill = async (dishes: Record<string, Json>) => {
  const operations = Object.entries(dishes).map(([key, data]) => ({
    ...{ action: 'update', resource: 'items', id: ids[key], data },
  }));
  (await service.admin.call('POST', '/bulk', { operations })).expect(200);
};

test('a house without a country has no rules, and one in another country of the EU has the Union’s', async () => {
  const { json } = await service.admin.get('/checklist');
  assert.deepEqual([json.data, json.meta.country, json.meta.region], [[], null, '']);
  assert.match(json.meta.as_of, /^\d{4}-\d\d-\d\d$/);
  const rules = await live({ country: 'PT' });
  assert.deepEqual([...rules.keys()], ['eu.allergens', 'eu.allergen_kinds', 'eu.final_prices']);
  assert.deepEqual([...(await live({ country: 'JP' })).keys()], []);
});

describe('Italy', () => {
  test('names dishes without a declaration, allergens without kinds, and a charge without an amount', async () => {
    const text = { it: 'Pane e coperto' };
    const rules = await live({ country: 'IT', cover_charge_text: text, cover_charge: null });
    assert.deepEqual(lacking(rules, 'it.allergens'), ['soup allergens']);
    const kinds = ['cake allergen_detail', 'beer allergen_detail'];
    assert.deepEqual(lacking(rules, 'eu.allergen_kinds'), kinds);
    assert.deepEqual(lacking(rules, 'it.cover_charge'), ['settings cover_charge']);
    assert.equal(rules.get('eu.final_prices')?.is_met, true);
  });

  test('is content when they are filled', async () => {
    await fill({
      soup: { allergens: ['sedano'] },
      cake: { allergen_detail: ['grano', 'mandorle'] },
      beer: { allergen_detail: ['orzo'] },
    });
    const rules = await live({ cover_charge: 2.5 });
    const open = [...rules.values()].filter((one) => !one.is_met).map((one) => one.rule);
    assert.deepEqual(open, []);
  });
});

describe('Germany', () => {
  test('wants a price for every dish, volumes of drinks, and prices with service', async () => {
    const rules = await live({ country: 'DE', service_charge_percent: 10 });
    assert.deepEqual(lacking(rules, 'de.prices'), ['catch price']);
    assert.deepEqual(lacking(rules, 'de.volumes'), ['beer volume_ml']);
    assert.deepEqual(lacking(rules, 'de.service'), ['settings service_charge_percent']);
    await fill({ beer: { variants: [{ label: 'Piccola', price: 3, volume_ml: 300 }] } });
    assert.deepEqual(lacking(await checklist(), 'de.volumes'), []);
    await fill({ beer: { variants: [{ label: 'Piccola', price: 3 }] } });
    assert.deepEqual(lacking(await checklist(), 'de.volumes'), ['beer variants']);
  });

  test('is content when they are filled, and reminds of additives', async () => {
    await fill({
      catch: { price: 8, price_unit: '100g', price_on_request: false },
      beer: { variants: [], volume_ml: 500, price: 4 },
    });
    await live({ service_charge_percent: 0 });
    assert.deepEqual(await unmet(), []);
    const { json } = await service.admin.get('/checklist?locale=de');
    const laws = json.meta.only_you_know.map(({ law }: Json) => law);
    assert.deepEqual(laws, ['LMZDV § 5', 'LMIDV § 4']);
    assert.equal(json.data[0].title, 'Die Allergene jedes Gerichts');
  });
});

describe('Switzerland', () => {
  test('wants the country of meat and fish; a dish may hide meat until it is vegetarian', async () => {
    const rules = await live({ country: 'CH' });
    const meat = ['steak origins', 'trout origins', 'cake origins', 'catch origins'];
    assert.deepEqual(lacking(rules, 'ch.origin_meat'), meat);
    assert.deepEqual(lacking(rules, 'ch.origin_fish'), ['trout origins', 'catch origins']);
  });

  test('is content when origins have a country or a catch area', async () => {
    await fill({
      steak: { origins: [{ kind: 'beef' }] },
      trout: { origins: [{ kind: 'fish', country: 'CH' }] },
      catch: { origins: [{ kind: 'fish', catch_area: 'FAO 37' }] },
      cake: { labels: ['vegetarian'] },
    });
    assert.deepEqual(lacking(await checklist(), 'ch.origin_meat'), ['steak origins']);
    await fill({ steak: { origins: [{ kind: 'beef', country: 'US' }] } });
    assert.deepEqual(await unmet(), []);
  });

  test('prints the sentences about foreign meat, in the guest’s language, unless a note says more', async () => {
    await service.admin.call('PATCH', '/settings', { supported_locales: ['it', 'de'] });
    const page = async () => (await service.client.send('/?lang=de')).text;
    assert.match(await page(), /Kann mit hormonellen Leistungsförderern erzeugt worden sein\./);
    const origins = [{ kind: 'beef', country: 'US', note: 'Hormonfrei zertifiziert' }];
    await fill({ steak: { origins } });
    const noted = await page();
    assert.doesNotMatch(noted, /hormonellen/);
    assert.match(noted, /Hormonfrei zertifiziert/);
  });
});

describe('a chain in California', () => {
  test('has no duty until it has 20 places', async () => {
    const rules = await live({ country: 'US', region: 'US-CA', chain_size: 'none' });
    assert.ok([...rules.values()].every(({ applies }) => !applies));
  });

  test('wants calories, and whether cereals are wheat', async () => {
    await fill({ beer: { allergen_detail: [] } });
    const rules = await live({ chain_size: 'us_20' });
    assert.equal(lacking(rules, 'us.calories').length, Object.keys(DISHES).length);
    assert.deepEqual(lacking(rules, 'us_ca.wheat'), ['beer allergen_detail']);
    assert.equal(rules.get('us_ca.allergens')?.is_met, true);
    const other = await live({ region: 'US-NY' });
    assert.equal(other.get('us_ca.wheat')?.applies, false);
    await live({ region: 'US-CA' });
  });

  test('is content when they are filled, and rounds calories on the page', async () => {
    const kcal = Object.fromEntries(Object.keys(DISHES).map((key) => [key, { kcal: 47 }]));
    await fill({ ...kcal, steak: { kcal: 634 }, soup: { kcal: 4 } });
    await fill({ beer: { allergen_detail: ['orzo'] } });
    assert.deepEqual(await unmet(), []);
    const { text } = await service.client.send('/?lang=it');
    for (const rounded of ['630 Cal', '45 Cal', '0 Cal']) assert.ok(text.includes(`>${rounded}<`));
    assert.match(text, /2\.000 calorie al giorno/);
  });
});

test('the United Kingdom wants calories of large businesses, not of strong drinks', async () => {
  await fill({ beer: { kcal: null, abv_percent: 4.8 }, soup: { kcal: null } });
  const rules = await live({ country: 'GB', chain_size: 'uk_250' });
  assert.deepEqual(lacking(rules, 'gb.calories'), ['soup kcal']);
  assert.equal((await live({ chain_size: 'none' })).get('gb.calories')?.applies, false);
});

test('France wants where beef was born, reared and slaughtered, or one country', async () => {
  await fill({ steak: { origins: [{ kind: 'beef', reared: 'FR', slaughtered: 'FR' }] } });
  const rules = await live({ country: 'FR' });
  assert.deepEqual(lacking(rules, 'fr.origin_beef'), ['steak origins']);
  const origins = [{ kind: 'beef', born: 'IE', reared: 'FR', slaughtered: 'FR' }];
  await fill({ steak: { origins } });
  assert.deepEqual(lacking(await checklist(), 'fr.origin_beef'), []);
});

test('a hidden dish lacks nothing, and a token needs menu:read', async () => {
  await fill({ soup: { allergens: null, is_active: false } });
  assert.deepEqual(lacking(await live({ country: 'IT' }), 'it.allergens'), []);
  await fill({ soup: { is_active: true } });
  const token = await issueToken(service.db, service.tenantId, ['analytics:read']);
  (await createAdminClient(service.client, token).get('/checklist')).expect(403);
});
