// Each field that a client reads can be written back as it was read, and changes nothing.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pathOf, records } from '../../../db/schema/registry.ts';
import { COLLECTIONS, type Resource, SINGLETONS } from '../../../db/schema/values/resource.ts';
import { adminService } from '../../support/admin.ts';
import { nameOperations } from '../../support/fallback-language.ts';
import { picture } from '../../support/pictures.ts';

const service = await adminService();
await call('PATCH', '/settings', { supported_locales: ['it', 'en', 'de'] }, 200);
const operations = await nameOperations(service, 'en');
await call('POST', '/bulk', { operations }, 200);

type Json = Record<string, unknown>;

async function call(method: string, path: string, body: unknown, status: number) {
  const headers = Buffer.isBuffer(body) ? { 'Content-Type': 'image/jpeg' } : {};
  return (await service.admin.call(method, path, body, headers)).expect(status);
}

const texts = (name: string) => ({ it: name, en: `${name} in English`, de: `${name} auf Deutsch` });
const EVENING = { weekdays: [1, 2], time_start: '18:00', time_end: '23:00' };
const NOON = { weekdays: [6], time_start: '12:00', time_end: '15:00' };
const CHRISTMAS = { date_start: '2026-12-25', date_end: '2026-12-26' };
const VISIBLE = { visible_from: '2190-01-01T00:00:00Z', visible_until: '2198-01-01T00:00:00Z' };

/** Fields of each record whose values no rule of one field alone can tell. */
const special: Partial<Record<Resource, (ids: Record<string, number>) => Json>> = {
  categories: ({ parent, photos }) => ({
    ...{ parent_id: parent, photo_id: photos, ...VISIBLE, ...EVENING, ...CHRISTMAS },
    hours: [EVENING, NOON],
  }),
  types: ({ parent }) => ({ category_id: parent }),
  modifier_groups: () => ({
    min: 1,
    max: 2,
    options: [
      { label: texts('Patate'), price: 0, allergens: [] },
      { label: texts('Crema'), price: 1.5, max: 2, allergens: ['latte'], is_sold_out: true },
    ],
  }),
  items: ({ parent, types, wineries, modifier_groups, photos }) => ({
    ...{ category_id: parent, type_id: types, winery_id: wineries, photo_id: photos, ...VISIBLE },
    ...{ modifier_group_ids: [modifier_groups], price: 4, vintage: 2019, kcal: 420 },
    ...{ allergens: ['latte', 'cereali_glutine'], traces: ['uova', 'frutta_guscio'] },
    ...{ allergen_detail: ['grano', 'noci'], sold_out_until: '2199-01-01T12:00:00Z' },
    ...{ non_vintage: false, abv_percent: 12.5 },
    origins: [
      { ingredient: texts('Manzo'), kind: 'beef', country: 'IT', note: 'Al pascolo' },
      { kind: 'fish', catch_area: 'FAO 37', country: null },
    ],
    variants: [4, 6].map((price) => ({
      label: texts(`Da ${price}`),
      price,
      volume_ml: 50 * price,
    })),
    offers: [{ label: texts('Ora felice'), price: 3, ...EVENING, ...CHRISTMAS }],
    courses: [
      {
        label: texts('Primo'),
        choose: 1,
        options: [{ item_id: 1 }, { label: texts('Zuppa'), surcharge: 2 }],
      },
    ],
  }),
  settings: ({ photos }) => ({
    ...{ logo_photo_id: photos, cover_photo_id: photos, email: 'ada@trattoria.example' },
    ...{
      supported_locales: ['it', 'en', 'de'],
      fallback_locale: 'en',
      timezone: 'Europe/Berlin',
      currency: 'USD',
    },
    embed_origins: 'https://www.trattoria.example',
    opening_hours: [EVENING, NOON],
    closures: [{ ...CHRISTMAS, text: texts('Natale') }],
    special_hours: [{ date: '2026-12-31', time_start: '18:00', time_end: '23:00' }],
    ...{ country: 'IT', region: 'IT-34', cover_charge: 2.5, service_charge_percent: 12.5 },
  }),
  theme: () => ({ border_radius: '6px', font_family: 'Verdana, sans-serif' }),
  photos: () => ({ focus_x: 10, focus_y: 90 }),
};

/** A value of a field that is not its default. */
function filled(resource: Resource, name: string): unknown {
  const { kind, isTranslated, options, values } = records[resource].fields[name] ?? {};
  if (isTranslated) return texts(`${resource} ${name}`);
  if (kind === 'text') return `Testo ${name}`;
  if (kind === 'url') return `https://www.example.com/${name}`;
  if (kind === 'urls') return ['https://www.example.com/1', 'https://www.example.com/2'];
  if (kind === 'color') return '#123ABC';
  if (kind === 'flag') return !options?.default;
  if (kind === 'integer') return 3;
  if (kind === 'choice') return values?.find((one) => one !== options?.default);
  return values?.slice(0, 2);
}

/** A body that gives every field of a record. */
function fullBody(resource: Resource, ids: Record<string, number>): Json {
  const given = special[resource]?.(ids) ?? {};
  // An address of a picture gives way to the own photo.
  const fields = Object.entries(records[resource].fields).filter(
    ([, { input, options }]) => input !== null && !options.photo,
  );
  return Object.fromEntries(fields.map(([name]) => [name, given[name] ?? filled(resource, name)]));
}

/** Creates a record of each kind with all its fields, and returns the paths. */
async function fill(): Promise<Map<Resource, string>> {
  const ids: Record<string, number> = { parent: 1 };
  const paths = new Map<Resource, string>();
  // Dishes name records of all other kinds, and all name photos.
  const order = ['photos', ...COLLECTIONS.filter((one) => !/photos|items/.test(one)), 'items'];
  for (const resource of order as (typeof COLLECTIONS)[number][]) {
    const all = `/${pathOf(resource)}`;
    const isPhoto = resource === 'photos';
    const body = isPhoto ? await picture({ width: 40, height: 30 }) : fullBody(resource, ids);
    const { json } = await call('POST', all, body, 201);
    ids[resource] = json.data.id;
    paths.set(resource, `${all}/${json.data.id}`);
    if (isPhoto) await call('PATCH', `${all}/${json.data.id}`, fullBody(resource, ids), 200);
  }
  for (const resource of SINGLETONS) {
    paths.set(resource, `/${resource}`);
    await call('PATCH', `/${resource}`, fullBody(resource, ids), 200);
  }
  return paths;
}

/** The fields of a record that a body may give, with the parts of a body that were read of each. */
function readParts(resource: Resource, read: Json): [name: string, part: Json][] {
  const fields = Object.entries(records[resource].fields).filter(([, { input }]) => input !== null);
  return fields.map(([name, { isTranslated }]) => {
    const map = `${name}_translations`;
    return [name, { [name]: read[name], ...(isTranslated && { [map]: read[map] }) }];
  });
}

const READERS = ['it', 'de'] as const;

test('a text beside a map that lacks it is a new one, and a required name stays a map', async () => {
  const settings = { cuisine: { it: 'Romana', en: 'Roman' } };
  await call('PATCH', '/settings', settings, 200);
  const cuisine_translations = settings.cuisine;
  const same = await call('PATCH', '/settings', { cuisine: 'Roman', cuisine_translations }, 200);
  assert.deepEqual(same.json.data.cuisine_translations, cuisine_translations);
  assert.equal(same.json.meta?.ignored, undefined);
  const other = await call('PATCH', '/settings', { cuisine: 'Di mare', cuisine_translations }, 200);
  assert.deepEqual(other.json.data.cuisine_translations, { it: 'Di mare' });
  assert.deepEqual(other.json.meta.ignored, ['cuisine_translations']);
  const none = await call('PATCH', '/settings', { cuisine: '', cuisine_translations }, 200);
  assert.deepEqual(none.json.data.cuisine_translations, {});
  const name = { name: 'Pane', name_translations: { it: 'Olio' } };
  (await call('PATCH', '/items/1', name, 422)).refuses('name', 'name.it');
});

test('a document takes a cuisine and a description as plain texts', async () => {
  const document = (await service.admin.get('/export')).json.data;
  document.settings.cuisine = 'Cucina di mare';
  document.items[0].description = 'Di Taggia';
  await call('PUT', '/import', document, 200);
  const { cuisine_translations } = (await service.admin.get('/settings')).json.data;
  assert.deepEqual(cuisine_translations, { it: 'Cucina di mare' });
  const exported = (await service.admin.get('/export')).json.data;
  assert.deepEqual(exported.items[0].description, { it: 'Di Taggia' });
});

describe('what was read is written back', () => {
  let paths: Map<Resource, string>;
  before(async () => {
    paths = await fill();
  });
  for (const resource of [...COLLECTIONS, ...SINGLETONS]) {
    test(`${resource}: as a whole and field by field, it changes nothing`, async () => {
      const path = paths.get(resource) ?? '';
      const first = await call('GET', path, undefined, 200);
      const { data } = first.json;
      for (const [name, field] of Object.entries(records[resource].fields)) {
        // A wine of one year is no blend of several.
        if (field.input === null || field.options.photo || name === 'non_vintage') continue;
        assert.notDeepEqual(data[name], field.options.default ?? null, `${name} is empty`);
      }
      const bodies: [string, Json][] = [['the whole', data], ...readParts(resource, data)];
      for (const [name, body] of bodies) {
        const reply = await call('PATCH', path, body, 200);
        assert.equal(reply.headers.etag, first.headers.etag, `${name} changes ${resource}`);
      }
      assert.deepEqual((await call('GET', path, undefined, 200)).json.data, data);
    });
  }

  for (const locale of READERS) {
    test(`guests' texts in ${locale} are written back, with all their translations`, async () => {
      for (const resource of ['categories', 'items'] as const) {
        const shown = { visible_from: null, is_active: true };
        await call('PATCH', paths.get(resource) ?? '', shown, 200);
      }
      const { sections, settings, theme } = (await service.client.get(`/menu/${locale}`)).json.data;
      const id = Number(paths.get('categories')?.split('/').at(-1));
      const dish = (await service.client.get(`/items/${paths.get('items')?.split('/').at(-1)}`, {}))
        .json.data;
      const inside = sections.flatMap((one: Json) => [one, ...((one.children as Json[]) ?? [])]);
      const section = inside.find((one: Json) => one.id === id);
      const read = { settings, theme, categories: section, items: dish };
      for (const [resource, shown] of Object.entries(read) as [keyof typeof read, Json][]) {
        const path = paths.get(resource) ?? '';
        const before = await call('GET', path, undefined, 200);
        const translated = readParts(resource, shown).filter(
          ([name]) => records[resource].fields[name]?.isTranslated,
        );
        const body = Object.assign({}, ...translated.map(([, part]) => part));
        assert.ok(Object.keys(body).length > 0);
        const reply = await call('PATCH', path, body, 200);
        assert.equal(reply.headers.etag, before.headers.etag, `${resource}: ${reply.text}`);
      }
    });
  }
});
