// Wineries, sub-categories and what was deleted: the records beside the menu.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', {
    types: [{ name: { it: 'Fresca' } }, { name: { it: 'Secca' } }],
    dishes: [dishOf('Gricia', { type: 'Secca' }), dishOf('Ravioli')],
  }),
]);
const service = await panelService([restaurant]);
const visitor = await signedIn(service.client);

const { sql } = service;

/** Opens a record's page, changes some of its fields and sends it. */
const edit = async (path: string, fields: Record<string, string>) =>
  visitor.follow(await visitor.edit(path, { do: 'save', ...fields }));
/** Opens a list and presses one of its buttons. */
const press = async (path: string, button: string) =>
  visitor.follow(await visitor.submit(path, { do: button }));

test('a winery is added, found from the menu, changed, deleted and brought back', async () => {
  const menu = await visitor.get('/admin/menu');
  for (const path of ['types', 'wineries', 'deleted']) {
    menu.shows(new RegExp(`href="/admin/menu/${path}"`));
  }
  const added = await edit('/admin/menu/wineries/new', { name: 'Vodopivec', region: 'Carso' });
  added.shows(/«Vodopivec» è aggiunto/);
  const [, path = ''] =
    /href="(\/admin\/menu\/wineries\/\d+)"[^>]*>Vodopivec/.exec(added.text) ?? [];
  const saved = await edit(path, { country: 'Italia', 'description.it': 'Vitovska.' });
  saved.shows(/«Vodopivec» è salvato/);
  (await visitor.undo(saved)).shows(/È tornato come prima/);
  const gone = await edit(path, { do: 'delete' });
  gone.shows(/«Vodopivec» è eliminato/).hides(/href="\/admin\/menu\/wineries\/\d+"[^>]*>Vodopivec/);
  await visitor.undo(gone);
  (await visitor.edit(path, { do: 'save', website: 'x' })).expect(422);
});

test('types stand in the order of their section, and an order is one write', async () => {
  const path = '/admin/menu/types';
  const order = async () =>
    (await sql('select id from types where deleted_at is null order by display_order, id')).map(
      ({ id }) => id,
    );
  const count = async () => Number((await sql('select count(*) as n from writes'))[0].n);
  const [fresh, dry] = await order();
  const before = await count();
  const moved = (await press(path, `type-up:${dry}`)).shows(/«Secca» è spostato/);
  assert.deepEqual([await order(), await count()], [[dry, fresh], before + 1]);
  await visitor.undo(moved);
  assert.deepEqual(await order(), [fresh, dry]);
  await press(path, `type-before:${dry}:${fresh}`);
  assert.deepEqual(await order(), [dry, fresh]);
  const [{ id: section }] = await sql('select id from sections');
  const filled = { 'name.it': 'Ripiena', category_id: String(section) };
  (await edit('/admin/menu/types/new', filled)).shows(/«Ripiena» è aggiunto/);
  const buttons = ['type-up:x', 'dish-up:1', 'type-up:99999', '__proto__', 'type-before:1:99999'];
  for (const odd of buttons) {
    assert.equal((await press(path, odd)).status, 200, odd);
  }
});

test('what was deleted comes back from its page, a section with everything in it', async () => {
  const [{ id }] = await sql('select id from sections');
  const [{ id: dish }] = await sql(`select id from dishes where name ->> 'it' = 'Gricia'`);
  await edit(`/admin/menu/items/${dish}`, { do: 'delete' });
  await edit(`/admin/menu/sections/${id}`, { do: 'delete' });
  const page = (await visitor.get('/admin/menu/deleted')).shows(/Primi/);
  assert.doesNotMatch(page.text, /Ravioli/, 'it went with its section');
  for (const odd of ['items:x', 'items:99999', 'settings:1', '__proto__:1', ':', '']) {
    const refused = await press('/admin/menu/deleted', odd);
    assert.match(refused.text, /Non c’è più: non si può ripristinare/, odd);
  }
  const early = await press('/admin/menu/deleted', `items:${dish}`);
  early.shows(/Non si può ripristinare. La sua sezione è eliminata/);
  (await press('/admin/menu/deleted', `categories:${id}`)).shows(/«Primi» è tornato al suo posto/);
  (await press('/admin/menu/deleted', `items:${dish}`)).shows(/«Gricia» è tornato/);
  assert.equal((await service.client.get('/items')).json.data.length, 2);
});
