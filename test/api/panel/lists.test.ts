// Changes in the lists of the panel: prices in place, order, several dishes at once.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Response } from '../../support/http.ts';
import { formOf, hiddenField } from '../../support/page-forms.ts';
import { createVisitor, EMAIL, PASSWORD, signedIn, type Visitor } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

/** More than a page of the list shows. */
const WINES = 620;
const names = ['Gricia', 'Cacio e pepe', 'Amatriciana'];

let visitor: Visitor;
const wines = Array.from({ length: WINES }, (_, index) => dishOf(`Vino ${index}`, { price: 20 }));
const restaurant = restaurantOf('trattoria', [
  sectionOf(
    'Primi',
    names.map((name) => dishOf(name, { price: 11 })),
  ),
  sectionOf('Dolci', [dishOf('Tiramisù')]),
  sectionOf('Cantina', { menu_type: 'wine', dishes: wines }),
]);
const service = await panelService([restaurant]);
beforeEach(async () => {
  visitor = await signedIn(service.client);
  const dishes = await Promise.all(names.map(dish));
  const path = await listPath('Primi');
  await press(path, Object.fromEntries(dishes.map(({ id }) => [`price.${id}`, '11'])));
  await press(path, { do: 'many-show', all: '1' });
});

const { sql } = service;
const sectionId = async (name: string): Promise<number> =>
  (await sql(`select id from sections where name ->> 'it' = $1`, [name]))[0].id;
const listPath = async (name: string) => `/admin/menu?section=${await sectionId(name)}`;
const dish = async (name: string) =>
  (await sql(`select * from dishes where name ->> 'it' = $1`, [name]))[0];
const pricesOf = (...dishes: string[]) =>
  Promise.all(dishes.map(async (name) => (await dish(name)).price));
const counts = async () => {
  const text = 'select version::int, (select count(*)::int from writes) as writes from tenants';
  return (await sql(text))[0];
};

/** Opens a list and sends its form with some fields changed. */
const press = (path: string, fields: Record<string, string | string[]>, by = visitor) =>
  by.edit(path, fields, 'list');
/** The same, and opens the page that says what has changed. */
const change = async (path: string, fields: Parameters<typeof press>[1]) =>
  visitor.follow(await press(path, fields));

/** Changes a dish on its own page. */
async function edit(name: string, fields: Record<string, string>, by = visitor): Promise<Response> {
  const path = `/admin/menu/items/${(await dish(name)).id}`;
  return by.follow(await by.edit(path, { do: 'save', ...fields }));
}

test('prices, sold out and order change in place, and each of them comes back', async () => {
  const path = await listPath('Primi');
  const [gricia, cacio, amatriciana] = (await Promise.all(names.map(dish))).map(({ id }) => id);
  const priced = await change(path, { do: 'prices', [`price.${gricia}`]: '14,20' });
  priced.shows(/«Gricia» ora costa 14,20/);
  assert.equal((await dish('Gricia')).price, 14.2);
  await visitor.undo(priced);
  assert.equal((await dish('Gricia')).price, 11);

  const soldOut = await change(path, { do: `sold-out-open:${gricia}`, [`price.${cacio}`]: '9' });
  assert.match(soldOut.text, /Piatti cambiati: 2/, 'a price that was typed is not lost');
  assert.equal((await dish('Gricia')).is_sold_out, true);
  assert.equal((await dish('Cacio e pepe')).price, 9);
  await visitor.undo(soldOut);
  assert.equal((await dish('Gricia')).is_sold_out, false);
  assert.equal((await dish('Cacio e pepe')).price, 11);

  const order = async () => {
    const { json } = await service.client.get(`/items?category_id=${await sectionId('Primi')}`);
    return json.data.map(({ id }: { id: number }) => id);
  };
  assert.deepEqual(await order(), [gricia, cacio, amatriciana]);
  const { version, writes } = await counts();
  const moved = await change(path, { do: `dish-before:${amatriciana}:${gricia}` });
  moved.shows(/«Amatriciana» è spostato/);
  assert.deepEqual(await order(), [amatriciana, gricia, cacio]);
  assert.deepEqual(await counts(), { version: version + 1, writes: writes + 1 });
  await visitor.undo(moved);
  assert.deepEqual(await order(), [gricia, cacio, amatriciana]);
  await change(path, { do: `dish-down:${gricia}` });
  assert.deepEqual(await order(), [cacio, gricia, amatriciana]);
  await change(path, { do: `dish-before:${cacio}:0` });
  assert.deepEqual(await order(), [gricia, amatriciana, cacio]);
});

test('a whole list changes as one write with one version, and comes back as one', async () => {
  const path = await listPath('Cantina');
  (await visitor.get(path)).shows(new RegExp(`Piatti: ${WINES}`), /Sono mostrati i primi 500/);
  const prices = async () =>
    (await sql(`select distinct price from dishes where name ->> 'it' like 'Vino %'`)).map(
      ({ price }) => price,
    );
  const { version, writes } = await counts();
  const raised = await change(path, { do: 'many-percent', percent: '+10%', all: '1' });
  raised.shows(new RegExp(`Piatti cambiati: ${WINES}\\.`));
  assert.deepEqual(await prices(), [22]);
  assert.deepEqual(await counts(), { version: version + 1, writes: writes + 1 });
  (await visitor.undo(raised)).shows(/È tornato come prima/);
  assert.deepEqual(await prices(), [20]);
  assert.deepEqual(await counts(), { version: version + 2, writes: writes + 2 });
  for (const [action, column, value] of [
    ['hide', 'is_active', false],
    ['show', 'is_active', true],
    ['sold-out-open', 'is_sold_out', true],
    ['available', 'is_sold_out', false],
  ] as const) {
    await change(path, { do: `many-${action}`, all: '1' });
    const found = await sql(
      `select distinct ${column} as value from dishes where name ->> 'it' like 'Vino %'`,
    );
    assert.deepEqual(found, [{ value }], action);
  }
});

test('a percentage shows prices before and after, rounds them, and points out the second of a day', async () => {
  const path = await listPath('Primi');
  const [gricia, cacio] = [await dish('Gricia'), await dish('Cacio e pepe')];
  const asked = { chosen: [String(gricia.id), String(cacio.id)], percent: '7', do: 'many-review' };
  const first = (await press(path, asked)).expect(200);
  first.shows(/Gricia[\s\S]*?<td>11,00<\/td><td><b>11,77<\/b>/);
  const form = formOf(first.text, 'price-review');
  const rounded = await visitor.post(path, { ...form, rounding: '0.50', do: 'many-review' });
  rounded.shows(/<td>11,00<\/td><td><b>12,00<\/b>/);
  assert.equal((await dish('Gricia')).price, 11, 'nothing has changed yet');
  const tens = { ...formOf(rounded.text, 'price-review'), rounding: '0.10' };
  const done = await visitor.follow(await visitor.post(path, { ...tens, do: 'many-percent' }));
  done.shows(/Piatti cambiati: 2/);
  assert.deepEqual(await pricesOf('Gricia', 'Cacio e pepe'), [11.8, 11.8]);
  const second = await press(path, asked);
  second.shows(/I prezzi di 2 piatti sono già cambiati oggi/, /stamattina 11,00/);
  await visitor.undo(done);
  const third = await press(path, asked);
  assert.doesNotMatch(third.text, /già cambiat/, 'what was undone has not changed');
  const stale = formOf(third.text, 'price-review');
  await edit('Gricia', { price: '12' }, await signedIn(service.client));
  (await visitor.post(path, { ...stale, do: 'many-percent' })).expect(409);
  assert.deepEqual(await pricesOf('Gricia', 'Cacio e pepe'), [12, 11]);
  await edit('Gricia', { price: '11' });
});

test('a dish is sold out today, until tomorrow or until further notice, and the list says so', async () => {
  const path = await listPath('Primi');
  const { id } = await dish('Gricia');
  const ends = async () =>
    (await sql(`select sold_out_until::text as at from dishes where id = ${id}`))[0].at;
  const today = await change(path, { do: `sold-out-today:${id}` });
  today.shows(/«Gricia»: Esaurito per oggi\./, /<span class="tag bad">Esaurito per oggi<\/span>/);
  assert.match(await ends(), /^\d{4}-/);
  const tomorrow = await change(path, { do: 'many-sold-out-tomorrow', chosen: [String(id)] });
  tomorrow.shows(/Esaurito fino a [^<]*12:30<\/span>/);
  const open = await change(path, { do: `sold-out-open:${id}` });
  open.shows(/Esaurito fino a nuovo avviso<\/span>/);
  assert.equal(await ends(), 'infinity');
  await change(path, { do: `available:${id}` });
  assert.equal(await ends(), null);
});

test('chosen dishes move to another section and come back; a search for all finds all', async () => {
  const path = await listPath('Primi');
  const [from, to] = [await sectionId('Primi'), await sectionId('Dolci')];
  const chosen = [await dish('Gricia'), await dish('Amatriciana')].map(({ id }) => String(id));
  const sections = async () =>
    (await Promise.all(names.map(dish))).map(({ category_id }) => category_id);
  const moved = await change(path, { do: 'many-move', chosen, section: String(to) });
  assert.deepEqual(await sections(), [to, from, to]);
  await visitor.undo(moved);
  assert.deepEqual(await sections(), [from, from, from]);
  (await visitor.get('/admin/menu?q=&state=')).shows(new RegExp(`Piatti: ${WINES + 4}`));
});

test('the same form that is sent twice changes prices once', async () => {
  const path = await listPath('Primi');
  const page = await visitor.get(path);
  const { id } = await dish('Gricia');
  const form = { ...formOf(page.text, 'list'), chosen: [String(id)] };
  const sent = await Promise.all(
    [1, 2, 3].map(() => visitor.post(path, { ...form, do: 'many-percent', percent: '100' })),
  );
  assert.equal(new Set(sent.map(({ headers }) => headers.location)).size, 1);
  assert.equal((await dish('Gricia')).price, 22);
});

test('what is wrong stands beside its dish, nothing is saved and nothing that was typed is lost', async () => {
  const path = await listPath('Primi');
  const [gricia, cacio] = [await dish('Gricia'), await dish('Cacio e pepe')];
  const typed = { [`price.${gricia.id}`]: '12,345', [`price.${cacio.id}`]: '13' };
  const chosen = [String(cacio.id)];
  const sent = await press(path, { do: 'many-percent', ...typed, chosen, percent: '7' });
  sent.expect(422).shows(new RegExp(`id="price-${gricia.id}-error">Al massimo 2 decimali`));
  const kept = formOf(sent.text, 'list');
  assert.deepEqual(kept[`price.${gricia.id}`], ['12,345']);
  assert.deepEqual(kept[`price.${cacio.id}`], ['13']);
  assert.deepEqual([kept.chosen, kept.percent], [chosen, ['7']]);
  assert.equal((await dish('Cacio e pepe')).price, 11);
  const none = await press(path, { do: 'many-hide' });
  assert.deepEqual([none.status, /Scegli almeno un piatto/.test(none.text)], [422, true]);
  const zero = await press(path, { do: 'many-percent', percent: '0', chosen });
  assert.deepEqual([zero.status, /Scrivi una percentuale/.test(zero.text)], [422, true]);
  const high = await press(path, {
    do: 'many-percent',
    percent: '500',
    chosen,
    [`price.${cacio.id}`]: '90000000',
  });
  high.expect(422);
  high.shows(/«Cacio e pepe»: Al massimo \d+\./);
  assert.equal((await dish('Cacio e pepe')).price, 11);
});

test('of two people the second sees what the first has changed, and keeps their own price', async () => {
  const path = await listPath('Primi');
  const [gricia, cacio] = [await dish('Gricia'), await dish('Cacio e pepe')];
  const other = await signedIn(service.client);
  const opened = formOf((await visitor.get(path)).text, 'list');
  await other.follow(await press(path, { do: 'prices', [`price.${gricia.id}`]: '13' }, other));
  const name = 'Cacio, pepe e basta';
  await edit('Cacio e pepe', { 'name.it': name }, other);
  const mine = { [`price.${gricia.id}`]: '14', [`price.${cacio.id}`]: '15' };
  const late = (await visitor.post(path, { ...opened, ...mine, do: 'prices' })).expect(409);
  late.shows(/Nel frattempo qualcun altro/, /ora è «13,00». Il tuo testo è rimasto/);
  assert.deepEqual(await pricesOf('Gricia', name), [13, 11]);
  const kept = formOf(late.text, 'list');
  await visitor.follow(await visitor.post(path, { ...kept, do: 'prices' }));
  assert.deepEqual(
    await pricesOf('Gricia', name),
    [14, 15],
    'another field that somebody has changed is no reason to refuse a price',
  );
  await edit(name, { 'name.it': 'Cacio e pepe' });

  const percent = { do: 'many-percent', percent: '10', chosen: [String(gricia.id)] };
  const stale = (await visitor.post(path, { ...opened, ...percent })).expect(409);
  stale.shows(/ora è «14,00». Il campo ha preso il nuovo valore/);
  assert.equal((await dish('Gricia')).price, 14);
});

test('a change that somebody has changed since is not taken back, not even a part of it', async () => {
  const path = await listPath('Primi');
  const chosen = (await Promise.all(names.map(dish))).map(({ id }) => String(id));
  const raised = await change(path, { do: 'many-percent', percent: '100', chosen });
  await edit('Gricia', { price: '5' }, await signedIn(service.client));
  (await visitor.undo(raised)).shows(/Qualcuno l’ha cambiato nel frattempo/);
  assert.deepEqual(await pricesOf(...names), [5, 22, 22]);
});

test('chosen dishes that are gone are counted, and the others change', async () => {
  const path = await listPath('Primi');
  const chosen = (await Promise.all(names.map(dish))).map(({ id }) => String(id));
  const form = formOf((await visitor.get(path)).text, 'list');
  const other = await signedIn(service.client);
  const deleted = await edit('Gricia', { do: 'delete' }, other);
  const sent = await visitor.post(path, { ...form, do: 'many-hide', chosen });
  (await visitor.follow(sent)).shows(/Piatti cambiati: 2. Non è stato possibile cambiarne 1/);
  (await press(path, { do: `hide:${chosen[0]}` })).shows(/Non c’è più: qualcuno l’ha eliminato/);
  await other.undo(deleted);
});

test('somebody who is signed out in a list finds it again as it was, with its filter', async () => {
  const path = `${await listPath('Primi')}&q=cacio`;
  const { id } = await dish('Cacio e pepe');
  const page = await visitor.get(path);
  const form = {
    ...formOf(page.text, 'list'),
    ...{ do: 'many-percent', percent: '12', chosen: [String(id)], [`price.${id}`]: '12,30' },
  };
  await sql('delete from sessions');
  const ended = (await visitor.post(path, form)).shows(/La sessione è scaduta/);
  const kept = {
    kept: hiddenField(ended.text, 'kept'),
    kept_path: hiddenField(ended.text, 'kept_path'),
  };
  assert.equal(kept.kept_path, path);
  const back = await visitor.post('/admin/sign-in', { email: EMAIL, password: PASSWORD, ...kept });
  back.expect(200).shows(/Quello che hai scritto è ancora qui/);
  back.shows(/id="q" name="q" type="text" value="cacio"/);
  assert.doesNotMatch(back.text, /Gricia/, 'the filter holds');
  const again = formOf(back.text, 'list');
  assert.deepEqual(
    [again.chosen, again.percent, again[`price.${id}`]],
    [[String(id)], ['12'], ['12,30']],
  );
  assert.equal((await dish('Cacio e pepe')).price, 11, 'nothing is saved yet');
  const action = /<form class="list" method="post" action="([^"]*)"/.exec(back.text)?.[1] ?? '';
  await visitor.follow(
    await visitor.post(action.replaceAll('&amp;', '&'), { ...again, percent: '', do: 'prices' }),
  );
  assert.equal((await dish('Cacio e pepe')).price, 12.3);
});

test('a page that somebody signs in for keeps its query, and so does one in another language', async () => {
  const stranger = createVisitor(service.client);
  const path = `${await listPath('Primi')}&q=b%26c&state=hidden`;
  const sent = await stranger.get(path);
  const signIn = await stranger.get(sent.headers.location ?? '');
  assert.equal(hiddenField(signIn.text, 'next'), path);
  const arrived = await stranger.post('/admin/sign-in', { email: EMAIL, password: PASSWORD });
  assert.equal(arrived.headers.location, path);
  const page = await stranger.get(path);
  const chosen = await stranger.post('/admin/language', {
    language: 'de',
    back: hiddenField(page.text, 'back'),
  });
  assert.equal(chosen.headers.location, path);
  const elsewhere = ['/admin?\r\nX: y', '/admin?a b', '/administrator', '//evil.example/admin?a'];
  for (const back of elsewhere) {
    const evil = await stranger.post('/admin/language', { language: 'de', back });
    assert.equal(evil.headers.location, '/admin', back);
  }
});
