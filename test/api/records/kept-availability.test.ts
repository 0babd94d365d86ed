// Sizes and options that are sold out stay so where a write says nothing of it, through every door.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { formOf } from '../../support/page-forms.ts';
import { addUser, signedIn } from '../../support/panel.ts';

const service = await adminService();
await addUser(service.db, service.tenantId);
const { admin } = service;

type Row = Record<string, unknown>;

const END = '2199-05-04T18:00:00Z';

async function done(method: string, path: string, body: unknown) {
  const { status, json, text } = await admin.call(method, path, body);
  assert.ok(status === 200 || status === 201, text);
  return json.data;
}

/** The lists of a new dish and of a new group, in which the keyed object and the last are sold out. */
async function soldOut() {
  const rows = [
    { label: { it: 'Media', en: 'Medium' }, price: 5 },
    {
      ...{ label: { it: 'Piccola', en: 'Small' }, price: 4, external_id: 'S' },
      ...{ is_sold_out: true, sold_out_until: END },
    },
    { label: { it: 'Grande', en: 'Large' }, price: 6, is_sold_out: true },
  ];
  const [section] = (await admin.get('/categories')).json.data;
  const dish = { category_id: section.id, name: { it: 'Spremuta' }, variants: rows };
  const group = { name: { it: 'Salse' }, options: rows };
  return {
    items: (await done('POST', '/items', dish)).id as number,
    modifier_groups: (await done('POST', '/modifier-groups', group)).id as number,
  };
}

const LISTS = [
  ['items', 'items', 'variants'],
  ['modifier_groups', 'modifier-groups', 'options'],
] as const;

/** Whether the objects of a list are sold out, and until when, by their Italian labels. */
async function stateOf(path: string, list: string): Promise<Row> {
  const rows: Row[] = (await admin.get(path)).json.data[list];
  return Object.fromEntries(
    rows.map((row) => [
      (row.label_translations as Row).it,
      row.is_sold_out ? (row.sold_out_until ?? 'indefinitely') : null,
    ]),
  );
}

/** A till's list in an order of its own: one is renamed under its key, and one is new. */
const sent = [
  { label: { it: 'Grande' }, price: 7 },
  { label: 'Nuova', price: 9 },
  { label: { it: 'Bicchiere' }, price: 4.5, external_id: 'S' },
  { label: 'Media', price: 5.5 },
];
const KEPT = { Grande: 'indefinitely', Nuova: null, Bicchiere: END, Media: null };

for (const [resource, place, list] of LISTS) {
  for (const door of ['PUT', 'PATCH', 'bulk', 'import'] as const) {
    test(`${list} that ${door} sends without is_sold_out stay sold out, or on sale`, async () => {
      const id = (await soldOut())[resource];
      const path = `/${place}/${id}`;
      const data = { [list]: sent };
      if (door === 'bulk') {
        const operations = [{ resource, action: 'update', id, data }];
        assert.equal((await done('POST', '/bulk', { operations })).applied, true);
      } else if (door === 'import') {
        const { name_translations: name } = (await admin.get(path)).json.data;
        const document = { format: 'lavagna-menu/1', [resource]: [{ id, name, ...data }] };
        assert.equal((await done('PUT', '/import', document)).counts.updated, 1);
      } else await done(door, path, data);
      assert.deepEqual(await stateOf(path, list), KEPT);
      const rows: Row[] = (await admin.get(path)).json.data[list];
      assert.deepEqual(each(rows, 'price'), [7, 9, 4.5, 5.5]);
    });
  }

  test(`${list} that are said to be on sale are on sale again`, async () => {
    const id = (await soldOut())[resource];
    const rows = sent.map((row) => ({ ...row, is_sold_out: row.label === 'Media' }));
    await done('PUT', `/${place}/${id}`, { [list]: rows });
    assert.deepEqual(await stateOf(`/${place}/${id}`, list), {
      ...{ Grande: null, Nuova: null, Bicchiere: null, Media: 'indefinitely' },
    });
  });

  test(`${list} whose box is not ticked in the panel are on sale again`, async () => {
    const id = (await soldOut())[resource];
    const visitor = await signedIn(service.client);
    const path = `/admin/menu/${place}/${id}`;
    const { [`${list}.2.is_sold_out`]: box, ...rest } = formOf((await visitor.get(path)).text);
    assert.deepEqual(box, ['1']);
    (await visitor.post(path, { ...rest, do: 'save' })).expect(303);
    assert.deepEqual(await stateOf(`/${place}/${id}`, list), {
      ...{ Media: null, Piccola: END, Grande: null },
    });
  });
}

test('an export that is older than the kitchen’s mark puts no size on sale again', async () => {
  const { items: id } = await soldOut();
  const path = `/items/${id}`;
  const sizes: Row[] = (await admin.get(path)).json.data.variants;
  const open = sizes.map(({ label_translations, price, external_id }) => ({
    ...{ label: label_translations, price, external_id, is_sold_out: false },
  }));
  await done('PUT', path, { variants: open });
  const document = (await admin.get('/export')).json.data;
  await done('PUT', path, { variants: open.map((row) => ({ ...row, is_sold_out: true })) });
  await done('PUT', '/import', document);
  assert.deepEqual(await stateOf(path, 'variants'), {
    ...{ Media: 'indefinitely', Piccola: 'indefinitely', Grande: 'indefinitely' },
  });
});
