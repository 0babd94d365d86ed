// Menus in the formats of other services: GET /admin/export?format= and PUT /admin/import?format=.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXPORT_TARGETS, IMPORT_FORMATS } from '../../../db/schema/exchange-report.ts';
import {
  type AdminClient,
  adminService,
  createAdminClient,
  issueToken,
} from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { faultsOf } from '../../support/exchange-schemas/validate.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import {
  deliverectPush,
  squareCells,
  squareCsv,
  toastMenus,
} from '../../support/service-exports.ts';
import { workbookOf } from '../../support/workbook.ts';

const service = await adminService();

describe('GET /admin/export?format=', () => {
  for (const target of EXPORT_TARGETS) {
    test(`${target}, gives a valid document and a report, and the document alone with raw=1`, async () => {
      const query = `format=${target}&vat_food=10&vat_drinks=22`;
      const { json } = (await service.admin.get(`/export?${query}`)).expect(200);
      const { document, report } = json.data;
      assert.deepEqual(faultsOf(target, document), []);
      assert.equal(report.target, target);
      assert.ok(report.sent > 0);
      const raw = await service.admin.get(`/export?${query}&raw=1`);
      assert.deepEqual(faultsOf(target, raw.json), []);
    });
  }

  test('refuses an unknown service, an unknown language and an impossible rate', async () => {
    for (const query of ['format=olo', 'format=uber&locale=xx', 'format=uber&vat_food=101']) {
      assert.equal((await service.admin.get(`/export?${query}`)).status, 422, query);
    }
  });
});

type Row = Record<string, unknown>;

/** A coffee with sizes and a group of options, and a set menu that names a dish. */
const drinks = {
  format: 'lavagna-menu/1',
  modifier_groups: [
    {
      ...{ external_id: 'milk', name: { it: 'Latte a scelta' }, min: 0, max: 3 },
      options: [
        { external_id: 'soy', label: { it: 'Soia' }, price: 0.5, allergens: ['soia'], max: 2 },
        { label: { it: 'Vaccino', en: 'Cow' }, price: 0, allergens: ['latte'], is_sold_out: true },
      ],
    },
  ],
  categories: [{ external_id: 'bar', name: { it: 'Bar' } }],
  items: [
    {
      ...{ external_id: 'coffee', category_external_id: 'bar', name: { it: 'Caffè d’orzo' } },
      ...{ modifier_group_external_ids: ['milk'], price: 2 },
      ...{ allergens: ['cereali_glutine', 'latte'], allergen_detail: ['orzo'] },
      variants: [
        { label: { it: 'Tazzina' }, price: 2, volume_ml: 120 },
        { label: { it: 'Tazza' }, price: 3, volume_ml: 240, is_sold_out: true },
      ],
    },
    {
      ...{ external_id: 'toast', category_external_id: 'bar', name: { it: 'Toast' }, price: 5 },
      allergens: ['cereali_glutine'],
    },
    {
      ...{ external_id: 'snack', category_external_id: 'bar', name: { it: 'Merenda' }, price: 7 },
      courses: [
        {
          label: { it: 'Da mangiare' },
          choose: 1,
          options: [
            { item_external_id: 'toast', surcharge: 0 },
            { label: 'Frutta', surcharge: 1 },
          ],
        },
      ],
    },
  ],
};

/** An empty restaurant of the service. */
async function emptyRestaurant(slug: string): Promise<AdminClient> {
  const tenantId = await plant(service.db, { ...restaurantOf(slug, []), wineries: [] });
  return createAdminClient(service.gateway.client(slug), await issueToken(service.db, tenantId));
}

async function dishesOf(admin: AdminClient): Promise<Map<unknown, Row>> {
  const { items } = (await admin.get('/export')).json.data;
  return new Map((items as Row[]).map((row) => [(row.name as Row).it, row]));
}

describe('PUT /admin/import?format=', () => {
  for (const target of ['google', 'uber', 'square', 'deliverect', 'otter'] as const) {
    test(`${target}, an export fills an empty restaurant, and a second import changes nothing`, async () => {
      const { document } = (await service.admin.get(`/export?format=${target}`)).json.data;
      const admin = await emptyRestaurant(`empty-${target}`);
      (await admin.call('PUT', `/import?format=${target}&dry_run=1`, document)).expect(200);
      assert.equal((await dishesOf(admin)).size, 0);
      const first = (await admin.call('PUT', `/import?format=${target}`, document)).json.data;
      assert.equal(first.counts.failed, 0);
      assert.ok(first.counts.created > 0);
      assert.equal(first.report.target, target);
      const second = (await admin.call('PUT', `/import?format=${target}`, document)).json.data;
      assert.equal(second.counts.created, 0, 'creates nothing twice');
      const changed = second.results.find((one: Row) => one.outcome === 'updated');
      assert.equal(second.counts.updated, 0, JSON.stringify(changed));
      const [entry] = (await admin.get('/versions')).json.data;
      assert.equal(entry.origin, target);
    });

    test(`${target}, an export that comes back to its restaurant creates nothing`, async () => {
      const { document } = (await service.admin.get(`/export?format=${target}`)).json.data;
      const tried = await service.admin.call('PUT', `/import?format=${target}&dry_run=1`, document);
      assert.equal(tried.status, 200, JSON.stringify(tried.json.errors ?? {}).slice(0, 500));
      assert.equal(tried.json.data.counts.created, 0);
    });
  }

  test('toast, menus of version 2 bring sizes, offers, groups and tags, and no allergens', async () => {
    const admin = await emptyRestaurant('from-toast');
    const { json } = (await admin.call('PUT', '/import?format=toast', toastMenus)).expect(200);
    const dishes = await dishesOf(admin);
    const pizza = dishes.get('Margherita Pizza') as Row;
    assert.deepEqual(each(pizza.variants as Row[], 'price'), [12, 16]);
    assert.equal(pizza.allergens, null);
    assert.deepEqual(pizza.labels, ['vegetarian']);
    assert.equal(((dishes.get('Spritz') as Row).offers as Row[])[0]?.price, 6);
    assert.equal((dishes.get('Catch of the day') as Row).price_on_request, true);
    const { lossy } = json.data.report;
    assert.ok(lossy.some(({ field, why }: Row) => field === 'itemTags' && why === 'unknownTag'));
  });

  test('deliverect, a push to a channel brings groups, tags, snoozes and hours', async () => {
    const admin = await emptyRestaurant('from-deliverect');
    (await admin.call('PUT', '/import?format=deliverect', deliverectPush)).expect(200);
    const dishes = await dishesOf(admin);
    const burger = dishes.get('Burger') as Row;
    assert.deepEqual(burger.allergens, ['cereali_glutine', 'latte']);
    assert.deepEqual(burger.allergen_detail, ['grano']);
    assert.equal(burger.external_id, 'BRG-01');
    assert.equal((burger.modifier_group_ids as number[]).length, 1);
    assert.equal((dishes.get('Fries') as Row).sold_out_until, 'indefinitely');
    const meal = dishes.get('Meal') as Row;
    const [course] = meal.courses as { options: Row[] }[];
    assert.equal(course?.options[0]?.item_id, burger.id);
  });

  test('square_csv, an item library brings sizes and names what it cannot bring', async () => {
    const admin = await emptyRestaurant('from-square');
    const put = () => admin.importTable(squareCsv, '?format=square_csv');
    const first = (await put()).json;
    assert.equal(first.success, true, JSON.stringify(first).slice(0, 500));
    const dishes = await dishesOf(admin);
    const latte = dishes.get('Latte') as Row;
    assert.deepEqual(each(latte.variants as Row[], 'price'), [3.5, 4.25]);
    assert.equal((dishes.get('Tasting') as Row).price_on_request, true);
    assert.equal(dishes.has('Old soup'), false);
    const { left_out, lossy } = first.data.report as Record<string, Row[]>;
    assert.ok(left_out?.some(({ name, why }) => name === 'Milk' && why === 'noPlace'));
    assert.ok(lossy?.some(({ field }) => field === 'Price Via Roma'));
    const second = (await put()).json;
    assert.equal(second.data.counts.created, 0);
    assert.equal(second.data.counts.updated, 0);
  });

  test('square_csv, a workbook brings the same as a table', async () => {
    const admin = await emptyRestaurant('from-workbook');
    const workbook = workbookOf([{ name: 'Items', rows: squareCells }]);
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const put = (query: string) =>
      admin.call('PUT', `/import?format=square_csv${query}`, workbook, { 'Content-Type': type });
    const tried = (await put('&dry_run=1')).json.data;
    const { counts, report } = (await put('')).json.data;
    assert.deepEqual([tried.counts, tried.report.lossy], [counts, report.lossy]);
    const latte = (await dishesOf(admin)).get('Latte') as Row;
    assert.deepEqual(each(latte.variants as Row[], 'external_id'), ['AAA1', 'AAA2']);
  });

  test('refuses the document of another service, and prices in another currency', async () => {
    (await service.admin.call('PUT', '/import?format=toast', { items: [] })).expect(422);
    const { document } = (await service.admin.get('/export?format=google')).json.data;
    const foreign = JSON.parse(JSON.stringify(document).replaceAll('"EUR"', '"USD"'));
    const admin = await emptyRestaurant('other-currency');
    const { json } = await admin.call('PUT', '/import?format=google', foreign);
    assert.equal(json.data.report.sent, 0);
    assert.ok(json.data.report.left_out.every(({ why }: Row) => why === 'currencyMismatch'));
  });

  test('otter, options in another order keep their own allergens, sizes their volumes', async () => {
    const admin = await emptyRestaurant('in-order');
    await admin.call('PUT', '/import', drinks);
    const { document } = (await admin.get('/export?format=otter')).json.data;
    (document.modifierGroups.milk.itemIds as string[]).reverse();
    for (const item of Object.values(document.items as Record<string, Row>)) delete item.skuDetails;
    (await admin.call('PUT', '/import?format=otter', document)).expect(200);
    const menu = (await admin.get('/export')).json.data;
    const { options } = menu.modifier_groups[0];
    assert.deepEqual(each(options, 'label'), [{ it: 'Vaccino', en: 'Cow' }, { it: 'Soia' }]);
    assert.deepEqual(each(options, 'allergens'), [['latte'], ['soia']]);
    const [coffee] = menu.items;
    assert.deepEqual(each(coffee.variants, 'volume_ml'), [120, 240]);
    assert.deepEqual(coffee.allergens, ['cereali_glutine', 'latte']);
  });

  for (const target of ['google', 'uber', 'square', 'deliverect', 'otter'] as const) {
    test(`${target}, a menu that comes back keeps allergens, sizes, groups and the dishes of set menus`, async () => {
      const admin = await emptyRestaurant(`back-${target}`);
      await admin.call('PUT', '/import', drinks);
      const before = (await admin.get('/export')).json.data;
      const { document } = (await admin.get(`/export?format=${target}`)).json.data;
      (await admin.call('PUT', `/import?format=${target}`, document)).expect(200);
      const after = (await admin.get('/export')).json.data;
      const lists = ['variants', 'modifier_group_ids', 'courses'];
      for (const field of ['allergens', 'allergen_detail', ...lists]) {
        assert.deepEqual(each(after.items, field), each(before.items, field), field);
      }
      assert.deepEqual(after.modifier_groups, before.modifier_groups);
    });
  }

  test('csv and json, an option keeps how often it may be taken where an import does not say it', async () => {
    const admin = await emptyRestaurant('times');
    await admin.call('PUT', '/import', drinks);
    const before = (await admin.get('/export')).json.data;
    const { text } = await admin.get('/export?format=csv');
    (await admin.importTable(text)).expect(200);
    const { format, items } = before;
    const dearer = { external_id: 'milk', options: [{ external_id: 'soy', price: 0.7 }] };
    for (const document of [{ items }, { modifier_groups: [dearer] }]) {
      (await admin.call('PUT', '/import', { format, ...document })).expect(200);
    }
    const [{ options }] = (await admin.get('/export')).json.data.modifier_groups;
    const [soy, cow] = before.modifier_groups[0].options;
    assert.equal(soy.max, 2);
    assert.deepEqual(options, [{ ...soy, price: 0.7 }, cow]);
  });

  test('broken documents are read or refused, and leave the service as it was', async () => {
    const admin = await emptyRestaurant('broken');
    const odd = [
      ...['null', '[]', '{}'],
      '{"items":{"__proto__":{"name":1}},"categories":{"a":{"itemIds":["__proto__"]}}}',
      '{"objects":[{"type":"ITEM","id":{},"item_data":{"variations":[null,{"id":[]}]}}]}',
      '{"items":[null,{"id":1,"title":7,"price_info":{"price":1e308}}],"categories":[{"id":2,"entities":[{"id":1}]}]}',
      `${'['.repeat(100)}${']'.repeat(100)}`,
      '{"menus":[{"menuGroups":[{"menuItems":[{}]}]}]}',
    ];
    for (const format of IMPORT_FORMATS) {
      for (const body of odd) {
        const { status, json } = await admin.call('PUT', `/import?format=${format}`, body);
        assert.ok([200, 422].includes(status), `${format} ${body.slice(0, 60)}: ${status}`);
        assert.equal(typeof json.success, 'boolean');
      }
    }
    assert.equal((await admin.get('/export')).status, 200);
  });
});
