// Changes through the forms of the panel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../db/operator/demo/restaurant.ts';
import { READY_THEMES } from '../../../gateway/panel/records/ready-themes.ts';
import { formOf, hiddenField } from '../../support/page-forms.ts';
import { createVisitor, EMAIL, PASSWORD, signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', [dishOf('Gricia', { price: 11 }), dishOf('Cacio e pepe')]),
  sectionOf('Dolci', [dishOf('Tiramisù')]),
]);

const service = await panelService([restaurant, pizzeria]);
const visitor = await signedIn(service.client);

const { sql } = service;
const idOf = async (table: 'dishes' | 'sections', name: string): Promise<number> => {
  const [row] = await sql(
    `select id from ${table} where tenant_id = $1 and name ->> 'it' = $2 order by id desc limit 1`,
    [service.tenantId, name],
  );
  return row.id;
};
const dishRow = async (name: string) =>
  (await sql('select * from dishes where id = $1', [await idOf('dishes', name)]))[0];

/** Opens a record's page, changes some of its fields and sends it. */
const edit = (path: string, changed: Record<string, string | string[]>, by = visitor) =>
  by.edit(path, { do: 'save', ...changed });

test('a dish that is filled in is on the menu at once, and can be taken back', async () => {
  const section = await idOf('sections', 'Primi');
  const sent = await edit(`/admin/menu/items/new?section=${section}`, {
    'name.it': 'Carbonara',
    'name.en': 'Carbonara, the real one',
    price: '12,50',
    'allergens.declared': '1',
    'allergen.uova': 'contains',
    'allergen.latte': 'may',
    'allergens.rest': '1',
    labels: ['homemade'],
  });
  const list = (await visitor.follow(sent)).shows(/«Carbonara» è nel menù/);
  const { json } = await service.client.get('/items?search=carbonara');
  const [dish] = json.data;
  assert.equal(dish.price, 12.5);
  assert.deepEqual(dish.name_translations, { it: 'Carbonara', en: 'Carbonara, the real one' });
  assert.deepEqual([dish.allergens, dish.traces, dish.labels], [['uova'], ['latte'], ['homemade']]);
  (await visitor.undo(list)).shows(/È tornato come prima/);
  assert.deepEqual((await service.client.get('/items?search=carbonara')).json.data, []);
});

test('a form that is sent as a browser shows it changes nothing', async () => {
  const dish = `/admin/menu/items/${await idOf('dishes', 'Gricia')}`;
  const section = `/admin/menu/sections/${await idOf('sections', 'Primi')}`;
  for (const path of [dish, section, '/admin/restaurant', '/admin/appearance']) {
    const list = await visitor.follow(await edit(path, {}));
    assert.match(list.text, /Non c’era niente da cambiare/, path);
  }
  // Its languages are stored in another order than the form has them.
  const german = await signedIn(service.gateway.client('pizzeria'));
  const told = await german.follow(await edit('/admin/restaurant', {}, german));
  told.shows(/Es gab nichts zu ändern/);
  const kind = { 'origins.0.ingredient.it': 'Guanciale', 'origins.0.country': 'Italia' };
  await visitor.follow(await edit(dish, kind));
  const { origins } = await dishRow('Gricia');
  assert.deepEqual(
    origins.map(({ kind: of, country }: Record<string, unknown>) => [of, country]),
    [['other', 'IT']],
  );
});

test('a winery is added inside the form of its wine, which keeps what was typed', async () => {
  const section = await idOf('sections', 'Primi');
  const path = `/admin/menu/items/new?section=${section}`;
  const typed = { 'name.it': 'Frascati', price: '18', 'winery_id.new': 'Cantina dei Colli' };
  const left = await edit(path, { ...typed, do: 'save' });
  assert.equal(left.status, 422, 'a name that would be dropped');
  left.shows(/id="f-winery_id-new-error">Hai scritto una cantina nuova/);
  const unnamed = { ...typed, 'winery_id.new': '', do: 'add-winery' };
  (await edit(path, unnamed)).expect(422).shows(/id="f-winery_id-new-error"/);
  const added = (await edit(path, { ...typed, do: 'add-winery' })).expect(200);
  added.shows(/«Cantina dei Colli» è aggiunto/);
  const form = formOf(added.text);
  assert.deepEqual([form['name.it'], form['winery_id.new']], [['Frascati'], ['']]);
  const { headers } = await visitor.post('/admin/menu/items/new', { ...form, do: 'save' });
  assert.match(headers.location ?? '', /done=/);
  const [wine] = await sql`
    select w.name from dishes d join wineries w on w.tenant_id = d.tenant_id and w.id = d.winery_id
    where d.name ->> 'it' = 'Frascati'`;
  assert.equal(wine?.name, 'Cantina dei Colli');
  await sql(`update dishes set deleted_at = now() where name ->> 'it' = 'Frascati'`);
});

test('a form that is sent many times makes one dish', async () => {
  const section = await idOf('sections', 'Dolci');
  const path = `/admin/menu/items/new?section=${section}`;
  const page = await visitor.get(path);
  const fields = { ...formOf(page.text), do: 'save', 'name.it': 'Sorbetto', price: '5' };
  const sent = await Promise.all([1, 2, 3].map(() => visitor.post(path, fields)));
  assert.equal(new Set(sent.map(({ headers }) => headers.location)).size, 1);
  assert.equal((await sql(`select from dishes where name ->> 'it' = 'Sorbetto'`)).length, 1);
});

test('what is wrong stands beside its field in the language of the page, and nothing is lost', async () => {
  const path = `/admin/menu/items/${await idOf('dishes', 'Gricia')}`;
  const page = await visitor.get(path, { 'Accept-Language': 'de' });
  const fields = { ...formOf(page.text), do: 'save', 'name.it': ' ', price: '12,345' };
  const typed = { ...fields, 'description.it': 'Mit <b>Guanciale</b>' };
  const sent = (await visitor.post(path, typed, { 'Accept-Language': 'de' })).expect(422);
  sent.shows(/id="f-name-it-error">Das fehlt noch\./);
  sent.shows(/id="f-price-error">Höchstens 2 Nachkommastellen\./, /value="12,345"/);
  sent.shows(/Mit &lt;b&gt;Guanciale&lt;\/b&gt;/);
  assert.equal((await dishRow('Gricia')).price, 11);
});

test('of two people the second sees what the first has changed, and keeps their own text', async () => {
  const path = `/admin/menu/items/${await idOf('dishes', 'Cacio e pepe')}`;
  const other = await signedIn(service.client);
  const opened = await visitor.get(path);
  await other.follow(await edit(path, { price: '13', 'name.en': 'Cheese and pepper' }, other));
  const mine = { do: 'save', 'name.en': 'Pecorino and pepper', is_recommended: '1' };
  const sent = (await visitor.post(path, { ...formOf(opened.text), ...mine })).expect(409);
  sent.shows(/Nel frattempo qualcun altro/, /ora è «13,00»[^<]*Il campo ha preso il nuovo valore/);
  sent.shows(/ora è «Cheese and pepper»[^<]*Il tuo testo è rimasto/, /value="Pecorino and pepper"/);
  await visitor.follow(await visitor.post(path, { ...formOf(sent.text), do: 'save' }));
  const { price, name, is_recommended } = await dishRow('Cacio e pepe');
  assert.deepEqual(
    [price, name.en, is_recommended],
    [13, 'Pecorino and pepper', true],
    'both changes are there',
  );
});

test('a section goes with its dishes, and comes back with them', async () => {
  const id = await idOf('sections', 'Dolci');
  const path = `/admin/menu/sections/${id}`;
  const page = await visitor.get(path);
  const fields = { form_id: hiddenField(page.text, 'form_id'), do: 'delete' };
  const sent = await visitor.post(path, fields);
  visitor.page = page;
  const again = await visitor.post(path, fields);
  assert.equal(again.headers.location, sent.headers.location, 'sent twice, deleted once');
  const gone = (await visitor.follow(sent)).shows(/«Dolci» non è più nel menù[\s\S]*Ripristina/);
  assert.deepEqual((await service.client.get('/items?search=tiramisu')).json.data, []);
  await visitor.undo(gone);
  assert.equal((await service.client.get('/items?search=tiramisu')).json.data.length, 1);
});

test('restaurant and appearance are forms of the same kind', async () => {
  const saved = await visitor.follow(await edit('/admin/restaurant', { phone: '+39 06 123' }));
  saved.shows(/«Ristorante» è salvato/);
  assert.equal((await service.client.get('/restaurant')).json.data.phone, '+39 06 123');
  const pale = await visitor.follow(await edit('/admin/appearance', { text_color: '#eeeeee' }));
  pale.shows(/«Testo» e «Sfondo» hanno poco contrasto/);
  assert.equal((await service.client.get('/theme')).json.data.text_color, '#EEEEEE');
  await visitor.undo(pale);
  (await edit('/admin/restaurant', { timezone: 'Europe/Atlantis', currency: 'EURO' })).expect(422);
});

test('a ready theme changes what it names, and leaves other texts of the theme', async () => {
  const themeNow = async () => (await service.client.get('/theme')).json.data;
  (await edit('/admin/appearance', { 'footer_text.it': 'A presto' })).expect(303);
  const before = await themeNow();
  const saved = await visitor.follow(await edit('/admin/appearance', { do: 'ready:paper' }));
  assert.deepEqual(await themeNow(), { ...before, ...READY_THEMES.paper });
  assert.equal(before.footer_text, 'A presto');
  await visitor.undo(saved);
  assert.deepEqual(await themeNow(), before);
});

test('somebody who is signed out in the middle finds their text again after signing in', async () => {
  const visitor = await signedIn(service.client);
  const path = `/admin/menu/items/${await idOf('dishes', 'Gricia')}`;
  const page = await visitor.get(path);
  const fields = { ...formOf(page.text), do: 'save', 'description.it': 'Con il guanciale «buono»' };
  await sql('delete from sessions where created_at = (select max(created_at) from sessions)');
  const ended = (await visitor.post(path, fields)).expect(200).shows(/La sessione è scaduta/);
  const form = { kept: hiddenField(ended.text, 'kept'), kept_path: path };
  const guess = { email: EMAIL, password: 'sbagliata', ...form };
  const wrong = (await visitor.post('/admin/sign-in', guess)).expect(422);
  assert.match(wrong.text, /name="kept"/, 'a wrong password loses nothing');
  const { cookie } = visitor;
  const german = await visitor.post('/admin/language', { language: 'de', ...form });
  german.expect(200).shows(/<html lang="de">/);
  assert.equal(hiddenField(german.text, 'kept'), form.kept, 'another language loses nothing');
  assert.match(String(german.headers['set-cookie']), /lavagna-lang=de/);
  const foreign = { Origin: 'https://evil.example' };
  const refused = await visitor.post('/admin/language', { language: 'de', ...form }, foreign);
  assert.equal(refused.status, 403, 'what another site sends is not kept');
  Object.assign(visitor, { cookie, page: german });
  const right = { email: EMAIL, password: PASSWORD, ...form };
  const back = (await visitor.post('/admin/sign-in', right)).expect(200);
  back.shows(/Quello che hai scritto è ancora qui/, /Con il guanciale «buono»/);
  assert.equal((await dishRow('Gricia')).description.it ?? '', '', 'nothing is saved yet');
  await visitor.follow(await visitor.post(path, { ...formOf(back.text), do: 'save' }));
  assert.equal((await dishRow('Gricia')).description.it, 'Con il guanciale «buono»');
});

test('a forged form changes nothing, and another restaurant’s records are not there', async () => {
  const id = await idOf('dishes', 'Gricia');
  const before = await dishRow('Gricia');
  const ofDish = `/admin/menu/items/${id}`;
  for (const path of [ofDish, '/admin/menu']) {
    const page = await visitor.get(path);
    const button = path === '/admin/menu' ? `hide:${id}` : 'save';
    const fields = { ...formOf(page.text), do: button, price: '1' };
    for (const [forged, headers] of [
      [{ form_token: 'x' }, {}],
      [{}, { Origin: 'https://evil.example' }],
      [{}, { 'Sec-Fetch-Site': 'cross-site' }],
    ] as const) {
      visitor.page = page;
      assert.equal((await visitor.post(path, { ...fields, ...forged }, headers)).status, 403, path);
    }
  }
  const stranger = createVisitor(service.client);
  const evil = { Origin: 'https://evil.example' };
  // It is not even kept.
  (await stranger.post(ofDish, { price: '1' }, evil)).expect(403).hides(/name="kept"/);
  const [{ id: foreign }] = await sql`
    select id from dishes where tenant_id <> ${service.tenantId} limit 1`;
  assert.equal((await visitor.get(`/admin/menu/items/${foreign}`)).status, 404);
  assert.equal((await visitor.post(`/admin/menu/items/${foreign}`, { price: '1' })).status, 404);
  for (const name of ['0', 'x', '99999999999', '%00']) {
    assert.equal((await visitor.get(`/admin/menu/items/${name}`)).status, 404, name);
  }
  assert.deepEqual(await dishRow('Gricia'), before);
});

test('odd values in addresses and forms change nothing and are no fault of ours', async () => {
  const id = await idOf('dishes', 'Gricia');
  const before = await dishRow('Gricia');
  const queries = ['q=%00', 'q=%25_%5C', 'section=x', 'state=__proto__', 'done=x', 'q=%C3%28'];
  for (const query of queries) {
    assert.equal((await visitor.get(`/admin/menu?${query}`)).status, 200, query);
  }
  const path = `/admin/menu/items/${id}`;
  const { text } = await visitor.get(path);
  const odd: Record<string, string>[] = [
    { etag: '\0' },
    { base: '{' },
    { base: '[["price",["\\u0000"]],[1],["name.it"]]' },
    { 'name.it': 'a\0b' },
    { form_id: 'x' },
    { do: '__proto__' },
  ];
  for (const fields of odd) {
    const sent = await visitor.submit(path, { ...formOf(text), do: 'save', price: 'x', ...fields });
    assert.ok(sent.status >= 400 && sent.status < 500, `${JSON.stringify(fields)}: ${sent.status}`);
  }
  const percent = await visitor.submit('/admin/menu', { do: `percent:${id}` });
  assert.equal(percent.status, 422, 'a button without the percentage that it is of');
  for (const action of ['__proto__:1', `toString:${id}`, 'up:x', 'section-up:0']) {
    const sent = await visitor.submit('/admin/menu', { do: action });
    assert.equal((await visitor.follow(sent)).status, 200, action);
  }
  assert.deepEqual({ ...(await dishRow('Gricia')), updated_at: 0 }, { ...before, updated_at: 0 });
});
