// An import that an owner takes back from the message that confirms it.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { type AdminClient, createAdminClient, issueToken } from '../support/admin.ts';
import type { Client, Response } from '../support/http.ts';
import { hiddenField } from '../support/page-forms.ts';
import { addUser, signedIn, type Visitor } from '../support/panel.ts';
import { panelService } from '../support/panel-service.ts';
import { dishOf, plant, restaurantOf, sectionOf, wineryOf } from '../support/restaurant.ts';
import { often } from '../support/thorough.ts';

const PATH = '/admin/import';
const english = { 'Accept-Language': 'en' };

const service = await panelService([restaurantOf('first', [])]);

type Row = Record<string, unknown> & { id: number };
type Menu = Record<'items' | 'categories' | 'types' | 'wineries', Row[]> &
  Record<'settings' | 'theme', Record<string, unknown>>;

let tenantId: number;
let client: Client;
let admin: AdminClient;
let owner: Visitor;

let count = 0;
async function enterNew(sections: Parameters<typeof restaurantOf>[1]): Promise<void> {
  count += 1;
  const slug = `osteria-${count}`;
  const restaurant = restaurantOf(slug, sections);
  restaurant.wineries = [wineryOf('Zidarich', { region: 'Carso' })];
  tenantId = await plant(service.db, restaurant);
  await addUser(service.db, tenantId);
  client = service.gateway.client(slug);
  admin = createAdminClient(client, await issueToken(service.db, tenantId));
  owner = await signedIn(client);
}

/** Each test has a restaurant of its own. */
beforeEach(() =>
  enterNew([
    sectionOf('Antipasti', {
      types: [{ name: { it: 'Freddi' } }],
      dishes: [dishOf('Olive', { type: 'Freddi', price: 4.5 }), dishOf('Crostini', { price: 6 })],
      children: [sectionOf('Fritti', { dishes: [dishOf('Supplì', { price: 3 })] })],
    }),
    sectionOf('Primi', { dishes: [dishOf('Gnocchi', { price: 11, allergens: ['latte'] })] }),
    sectionOf('Vini', { menu_type: 'wine', dishes: [dishOf('Terrano', { winery: 'Zidarich' })] }),
  ]),
);

const sql = (text: string) => service.sql(text, [tenantId]);
const writesAndVersion = async () => {
  const count = 'select count(*)::int from writes where tenant_id = $1';
  return (await sql(`select version::int, (${count}) as writes from tenants where id = $1`))[0];
};
const exported = async (): Promise<Menu> => (await admin.get('/export')).json.data;
const guestsMenu = async () => (await client.get('/menu')).json.data;
const named = (rows: readonly Row[], name: string): Row => {
  const found = rows.find((row) => row.name === name || (row.name as Row).it === name);
  assert.ok(found, `${name} is missing`);
  return found;
};

/** Shows and applies a document; the answer is the page with the message. */
async function importMenu(menu: unknown, fields: Record<string, string> = {}): Promise<Response> {
  await owner.get(PATH);
  const file = { name: 'menu.json', bytes: Buffer.from(JSON.stringify(menu)) };
  const shown = await owner.upload(PATH, { do: 'show', ...fields }, file, english);
  assert.match(shown.text, /value="apply"/, shown.text);
  const applied = (await owner.upload(PATH, { do: 'apply' }, null, english)).expect(303);
  return owner.get(applied.headers.location ?? '', english);
}

async function press(page: Response): Promise<Response> {
  owner.page = page;
  const change = hiddenField(page.text, 'change');
  const undone = (await owner.post('/admin/menu/undo', { change }, english)).expect(303);
  return owner.get(undone.headers.location ?? '', english);
}

const UNDONE = /It is as it was before\./;
const STAYS = /Somebody has changed it meanwhile|the menu would break a rule/;

/** A document that changes, creates and deletes records of each kind; the rest stays. */
async function largeChange(): Promise<object> {
  const menu = await exported();
  const { items, categories } = menu;
  Object.assign(named(items, 'Gnocchi'), { price: 12.5, allergens: null, sold_out_until: null });
  const wine = named(items, 'Terrano');
  // The key goes from a dish to a new one, and comes back.
  const key = wine.external_id;
  wine.external_id = null;
  Object.assign(named(categories, 'Primi'), { is_active: false, notes: { it: 'Di casa' } });
  const fried = named(categories, 'Fritti').id;
  return {
    ...menu,
    format: 'lavagna-menu/1',
    settings: { name: 'Un’altra', default_locale: 'en', supported_locales: ['en', 'it'] },
    theme: { primary_color: '#112233', footer_text: { it: 'Ciao' } },
    wineries: [{ external_id: 'w', name: 'Škerk' }],
    categories: [
      ...categories.filter(({ id }) => id !== fried),
      { external_id: 'dolci', name: { it: 'Dolci' } },
      { external_id: 'gelati', name: { it: 'Gelati' }, parent_external_id: 'dolci' },
    ],
    types: [{ external_id: 't', name: { it: 'Crema' }, category_external_id: 'gelati' }],
    items: [
      ...items.filter(({ category_id }) => category_id !== fried),
      {
        ...{ external_id: key, name: { it: 'Pistacchio' }, price: 3 },
        ...{ category_external_id: 'gelati', type_external_id: 't', winery_external_id: 'w' },
      },
    ],
  };
}

describe('undo of an import', () => {
  test('gives the whole menu back, with its ids, as one write with one version', async () => {
    const [menu, shown] = [await exported(), await guestsMenu()];
    const page = await importMenu(await largeChange(), { delete_missing: '1' });
    assert.match(page.text, /New: 5, changed: 5, deleted: 4/);
    assert.notDeepEqual(await exported(), menu);
    const { version, writes } = await writesAndVersion();
    assert.match((await press(page)).text, UNDONE);
    assert.deepEqual(await writesAndVersion(), { version: version + 1, writes: writes + 1 });
    assert.deepEqual(await exported(), menu);
    assert.deepEqual(await guestsMenu(), shown);
    assert.match((await press(page)).text, UNDONE);
    assert.deepEqual(await writesAndVersion(), { version: version + 1, writes: writes + 1 });
  });

  test('brings back a dish of the deepest section that there may be', async () => {
    const deepest = { dishes: [dishOf('Fondo', { price: 9 })] };
    let nested = sectionOf('Ultimo', deepest);
    for (let level = 1; level < constants.maxSectionDepth; level += 1) {
      nested = sectionOf(`Livello ${level}`, { children: [nested] });
    }
    await enterNew([nested]);
    const menu = await exported();
    const changed = menu.items.map((dish) => ({ ...dish, price: 10 }));
    const page = await importMenu({ ...menu, items: changed });
    assert.match((await press(page)).text, UNDONE);
    assert.deepEqual(await exported(), menu);
  });

  test('deletes what was created as the panel does: a section comes back with what was in it', async () => {
    const page = await importMenu(await largeChange());
    await press(page);
    const deleted = (await owner.get('/admin/menu/deleted', english)).shows(/Dolci/, /Škerk/);
    deleted.hides(/Gelati|Pistacchio/);
  });

  test('keeps what was changed elsewhere since', async () => {
    const page = await importMenu(await largeChange());
    const { id } = named((await exported()).items, 'Crostini');
    assert.equal((await admin.call('PATCH', `/items/${id}`, { price: 31 })).status, 200);
    assert.match((await press(page)).text, UNDONE);
    assert.equal(named((await exported()).items, 'Crostini').price, 31);
  });

  test('says so in the language of the page', async () => {
    const page = await importMenu(await largeChange());
    const buttons = { it: 'Rimetti com’era', fr: 'Remettre comme avant', de: 'Rückgängig' };
    for (const [language, text] of Object.entries({ ...buttons, es: 'Deshacer' })) {
      const path = `${PATH}?done=${hiddenField(page.text, 'change')}`;
      const shown = await owner.get(path, { 'Accept-Language': language });
      shown.shows(`<button class="button">${text}</button>`);
    }
  });

  test('works for an import of long ago whose fields are as it left them', async () => {
    const dishes = (await exported()).items;
    const priceOf = async (name: string) => named((await exported()).items, name).price;
    const before = await priceOf('Supplì');
    const importPrice = (name: string, price: number) =>
      importMenu({ format: 'lavagna-menu/1', items: [{ id: named(dishes, name).id, price }] });
    const oldest = await importPrice('Supplì', 20);
    for (let price = 21; price <= 31; price += 1) await importPrice('Gnocchi', price);
    assert.match((await press(oldest)).text, UNDONE);
    assert.equal(await priceOf('Supplì'), before);
    assert.equal(await priceOf('Gnocchi'), 31);
  });
});

type Call = [method: string, path: string, body?: object];
/** Calls after an import, by the menu that it left and the one before it. */
type Later = Record<string, (menu: Menu, former: Menu) => Call[]>;

const remove = (sections: Row[], name: string): Call => {
  return ['DELETE', `/categories/${named(sections, name).id}`];
};
const change = (dishes: Row[], name: string, body: object): Call => {
  return ['PATCH', `/items/${named(dishes, name).id}`, body];
};

/** The menu before an import of `largeChange`, and the page of that import; then come the calls. */
async function importThen(later: Later[string]) {
  const former = await exported();
  const page = await importMenu(await largeChange(), { delete_missing: '1' });
  for (const [method, path, body] of later(await exported(), former)) {
    const answer = await admin.call(method, path, body);
    assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  }
  return { former, page };
}

/** A change after the import of `largeChange` that is in the way of nothing. */
const HARMLESS: Later = {
  'a new section was deleted': ({ categories }) => [remove(categories, 'Dolci')],
  'a deleted dish was restored': (_menu, { items, categories }) => [
    ['POST', `/categories/${named(categories, 'Fritti').id}/restore`],
    change(items, 'Supplì', { price: 5 }),
  ],
};

describe('undo of an import', () => {
  for (const [what, later] of Object.entries(HARMLESS)) {
    test(`goes on when ${what}`, async () => {
      const { former, page } = await importThen(later);
      assert.match((await press(page)).text, UNDONE);
      const menu = await exported();
      assert.deepEqual(menu.settings, former.settings);
      assert.ok(named(menu.items, 'Supplì'));
      assert.ok(menu.items.every(({ name }) => (name as Row).it !== 'Pistacchio'));
    });
  }
});

/** A change after the import of `largeChange`, and what it makes impossible. */
const LATER: Later = {
  'a dish that lost its type is gone': ({ categories }) => [remove(categories, 'Antipasti')],
  'a changed dish was changed again': ({ items }) => [change(items, 'Gnocchi', { price: 13 })],
  'a new dish was changed': ({ items }) => [change(items, 'Pistacchio', { price: 4 })],
  'the theme was changed': () => [['PUT', '/theme', { primary_color: '#445566' }]],
  'a new section got another dish': ({ categories }) => {
    const { id: category_id } = named(categories, 'Gelati');
    return [['POST', '/items', { name: { it: 'Fragola' }, price: 2, category_id }]];
  },
  'another dish got a new winery': ({ items, wineries }) => [
    change(items, 'Crostini', { winery_id: named(wineries, 'Škerk').id }),
  ],
  'another dish has the external id of a deleted one': ({ items }, former) => [
    change(items, 'Crostini', { external_id: named(former.items, 'Supplì').external_id }),
  ],
};

describe('undo of an import is refused as a whole', () => {
  for (const [what, later] of Object.entries(LATER)) {
    test(`when ${what}`, async () => {
      const { page } = await importThen(later);
      const [menu, { version }] = [await exported(), await writesAndVersion()];
      assert.match((await press(page)).text, STAYS);
      assert.deepEqual(await exported(), menu);
      assert.equal((await writesAndVersion()).version, version);
    });
  }

  test('when a section would stand in itself', async () => {
    const { categories } = await exported();
    const [starters, first] = [named(categories, 'Antipasti').id, named(categories, 'Primi').id];
    const putWithin = async (id: number, parent_id: number) =>
      (await admin.call('PATCH', `/categories/${id}`, { parent_id })).expect(200);
    await putWithin(first, starters);
    const moved = [{ id: first, parent_id: null }];
    const page = await importMenu({ format: 'lavagna-menu/1', categories: moved });
    await putWithin(starters, first);
    assert.match((await press(page)).text, STAYS);
  });
});

test('an import that changes or deletes very many dishes is taken back', async () => {
  // As many as a menu may have, on the long walk.
  const half = often(250, 2_000);
  const many = Array.from({ length: 2 * half }, (_, index) =>
    dishOf(`Piatto ${index}`, { price: 1 }),
  );
  await enterNew([sectionOf('Tanti', { dishes: many })]);
  const menu = await exported();
  const items = menu.items.slice(0, half).map((item) => ({ ...item, price: 2 }));
  const page = await importMenu({ format: 'lavagna-menu/1', items }, { delete_missing: '1' });
  assert.ok(page.text.includes(`New: 0, changed: ${half}, deleted: ${half}`));
  assert.match((await press(page)).text, UNDONE);
  assert.deepEqual(await exported(), menu);
});
