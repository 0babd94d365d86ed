import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as v from 'valibot';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { sectionSchema } from '../../../db/schema/section.ts';
import { settings } from '../../../db/schema/settings.ts';
import { theme } from '../../../db/schema/theme.ts';
import { LOCALES, localeSchema, type Translations } from '../../../db/schema/values/locale.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const service = await menuService([trattoria, pizzeria]);
const { client, db, gateway } = service;

const timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/));

/** No field less and none more than the specification names. */
const menuAnswer = v.strictObject({
  success: v.literal(true),
  data: v.strictObject({
    settings: v.strictObject(settings.shown.entries),
    theme: v.strictObject(theme.shown.entries),
    sections: v.array(v.strictObject(sectionSchema.entries)),
  }),
  meta: v.strictObject({ generated_at: timestamp, locale: localeSchema }),
});

async function sectionsOf(slug: string, path = '/menu') {
  const { json } = await gateway.client(slug).get(path);
  return json.data.sections;
}

const names = (records: { name: string }[]) => records.map(({ name }) => name);

describe('GET /menu', () => {
  test('has settings, theme and sections in the envelope, field by field', async () => {
    for (const slug of ['trattoria', 'pizzeria']) {
      const response = (await gateway.client(slug).get('/menu')).expect(200);
      assert.match(response.headers['content-type'] ?? '', /^application\/json/);
      v.parse(menuAnswer, response.json);
    }
  });

  test('shows the restaurant and its theme as they were set', async () => {
    const { data } = (await client.get('/menu')).json;
    const { timezone, ...settings } = trattoria.settings;
    const { theme } = trattoria;
    const inAllLanguages = (texts: Record<string, string | Translations>) =>
      Object.fromEntries(
        Object.entries(texts).flatMap(([name, text]) => {
          const each = typeof text === 'string' ? { it: text } : text;
          return [
            [name, each.it],
            [`${name}_translations`, each],
          ];
        }),
      );
    const { cover_charge_text, allergen_info, recommended_label, cuisine = {} } = settings;
    assert.deepEqual(data.settings, {
      ...{ id: data.settings.id, slug: 'trattoria', currency: 'EUR', ...settings },
      ...{ logo_photo_id: null, logo_photo: null, cover_photo_id: null, cover_photo: null },
      ...inAllLanguages({ cover_charge_text, allergen_info, recommended_label, cuisine }),
      closures: settings.closures?.map(({ text = {}, ...days }) => ({
        ...days,
        ...inAllLanguages({ text }),
      })),
    });
    const { footer_text } = theme;
    const footer = inAllLanguages({ footer_text });
    assert.deepEqual(data.theme, { id: data.theme.id, dark_mode: false, ...theme, ...footer });
  });

  test('answers in the restaurant’s default locale when none is named', async () => {
    assert.equal((await client.get('/menu')).json.meta.locale, 'it');
    assert.equal((await gateway.client('pizzeria').get('/menu')).json.meta.locale, 'de');
  });

  test('answers in each supported locale, in any letter case', async () => {
    const first = { it: 'Antipasti', en: 'Starters', fr: 'Entrées', de: 'Vorspeisen' };
    for (const [locale, name] of Object.entries({ ...first, De: first.de })) {
      const { data, meta } = (await client.get(`/menu/${locale}`)).json;
      assert.equal(meta.locale, locale.toLowerCase());
      assert.equal(data.sections[0].name, name);
      assert.equal(data.sections[0].name_translations.es, 'Entrantes');
    }
  });

  test('serves Italian with 200 for a locale that is unknown or not supported', async () => {
    for (const locale of ['xx', 'IT', 'pt-BR', 'en', '%F0%9F%8D%95']) {
      const response = (await gateway.client('pizzeria').get(`/menu/${locale}`)).expect(200);
      assert.equal(response.json.meta.locale, 'it');
    }
  });

  test('lists sections depth first in display order, all wine sections last', async () => {
    const sections = await sectionsOf('trattoria');
    const types = sections.map((section: { menu_type: string }) => section.menu_type);
    assert.ok(types.includes('wine'));
    const sorted = [...types].toSorted((a, b) => a.localeCompare(b));
    assert.deepEqual(types, sorted);
    const primi = names(sections).indexOf('Primi piatti');
    const following = names(sections).slice(primi, primi + 3);
    assert.deepEqual(following, ['Primi piatti', 'Pasta fresca', 'Risotti e zuppe']);
    // «Vini» stands second on the chalkboard, and yet comes after all the food.
    assert.equal(trattoria.categories[1]?.menu_type, 'wine');
  });

  test('lists dishes in display order, with their types beside them', async () => {
    const antipasti = (await sectionsOf('trattoria'))[0];
    const active = trattoria.items.filter(
      ({ category_external_id, is_active }) =>
        category_external_id === trattoria.categories[0]?.external_id && is_active !== false,
    );
    const expected = active.map(({ name }) => name.it);
    assert.deepEqual(names(antipasti.items), expected);
    for (const item of antipasti.items) {
      assert.equal(item.category_id, antipasti.id);
      const known = antipasti.types.some(({ id }: { id: number }) => id === item.type_id);
      assert.ok(item.type_id === null || known);
    }
  });

  test('gives wines their winery and dishes none', async () => {
    const sections = await sectionsOf('trattoria', '/menu/en');
    const items = sections.flatMap(({ items }: { items: unknown[] }) => items);
    const wines = items.filter((item: { winery_id: number | null }) => item.winery_id !== null);
    assert.ok(wines.length >= 15);
    for (const wine of wines) {
      assert.equal(wine.winery.id, wine.winery_id);
      const source = trattoria.wineries.find(({ name }) => name === wine.winery.name);
      assert.equal(wine.winery.description, source?.description.en);
    }
    const dishes = items.filter((item: { winery_id: number | null }) => item.winery_id === null);
    assert.ok(dishes.every(({ winery }: { winery: unknown }) => winery === null));
  });

  test('a trailing slash changes nothing', async () => {
    assert.equal((await client.get('/menu/')).text, (await client.get('/menu')).text);
    assert.equal((await client.get('/menu/en/')).text, (await client.get('/menu/en')).text);
  });
});

describe('what is hidden', () => {
  before(async () => {
    await plant(
      db,
      restaurantOf('hidden', [
        sectionOf('A', {
          dishes: [dishOf('a1'), dishOf('a2', { is_active: false }), dishOf('a3', { type: 'T2' })],
          types: [{ name: { it: 'T1' } }, { name: { it: 'T2' }, is_active: false }],
          children: [
            sectionOf('A1', {
              is_active: false,
              dishes: [dishOf('below an inactive section')],
              children: [sectionOf('A1a', [dishOf('further below')])],
            }),
          ],
        }),
        sectionOf('B', { is_active: false, dishes: [dishOf('b1')] }),
      ]),
    );
  });

  test('inactive dishes, sections, types and everything below an inactive section', async () => {
    const sections = await sectionsOf('hidden');
    assert.deepEqual(names(sections), ['A']);
    assert.deepEqual(names(sections[0].items), ['a1', 'a3']);
    assert.deepEqual(names(sections[0].types), ['T1']);
    assert.deepEqual(names((await gateway.client('hidden').get('/items')).json.data), ['a1', 'a3']);
  });

  test('and is 404 by id', async () => {
    const first = (await gateway.client('hidden').get('/items')).json.data[0].id;
    const status = async (path: string) => (await gateway.client('hidden').get(path)).status;
    assert.equal(await status(`/items/${first}`), 200);
    assert.equal(await status(`/items/${first + 1}`), 404, 'an inactive dish');
    assert.equal(await status(`/items/${first + 3}`), 404, 'a dish below an inactive section');
    const top = (await sectionsOf('hidden'))[0].id;
    assert.equal(await status(`/categories/${top}`), 200);
    assert.equal(await status(`/categories/${top + 1}`), 404, 'an inactive section');
    assert.equal(await status(`/categories/${top + 2}`), 404, 'a section below it');
  });
});

describe('locale fallback', () => {
  test('requested, then Italian, then the default, then any', async () => {
    const dish = (description: object) => dishOf('D', { description });
    const section = sectionOf('S', [
      dish({ it: 'it', en: 'en', de: 'de', fr: 'fr' }),
      dish({ it: 'it', de: 'de', fr: 'fr' }),
      dish({ de: 'de', fr: 'fr' }),
      dish({ fr: 'fr', es: 'es' }),
      dish({ en: '', fr: 'fr' }),
    ]);
    const settings = { default_locale: 'de', fallback_locale: 'it' } as const;
    const languages = { ...settings, supported_locales: ['de' as const, 'en' as const] };
    await plant(db, restaurantOf('fallback', [section], languages));
    const read = async (path: string) =>
      (await sectionsOf('fallback', path))[0].items.map(
        (one: { description: string }) => one.description,
      );
    assert.deepEqual(await read('/menu/en'), ['en', 'it', 'de', 'fr', 'fr']);
    assert.deepEqual(await read('/menu'), ['de', 'de', 'de', 'fr', 'fr']);
    assert.deepEqual(await read('/menu/es'), ['it', 'it', 'de', 'fr', 'fr']);
  });

  test('the translations that exist come with the text, whatever the locale', async () => {
    const { json } = await client.get('/items?locale=de&search=panzanella%20iole');
    const [dish] = json.data;
    assert.equal(dish.name, 'Panzanella di nonna Iole');
    assert.deepEqual(Object.keys(dish.name_translations), ['it']);
    const supplì = (await client.get('/items/1')).json.data;
    assert.deepEqual(Object.keys(supplì.description_translations), [...LOCALES]);
  });
});

test('a new tenant’s empty menu is served', async () => {
  await plant(db, restaurantOf('empty', []));
  assert.deepEqual((await gateway.client('empty').get('/menu')).expect(200).json.data.sections, []);
  const items = (await gateway.client('empty').get('/items')).json;
  assert.deepEqual(items.data, []);
  assert.equal(items.meta.last_page, 1);
});

test('one tenant sees nothing of another', async () => {
  const foreign = (await gateway.client('pizzeria').get('/items')).json.data[0].id;
  assert.equal((await client.get(`/items/${foreign}`)).status, 404);
});
