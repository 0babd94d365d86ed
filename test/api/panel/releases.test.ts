// Releases in the panel: made, filled by the ordinary forms and lists, published and taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { formOf } from '../../support/page-forms.ts';
import { createVisitor, signedIn, type Visitor } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', [dishOf('Gricia', { price: 11 }), dishOf('Amatriciana')]),
]);

/** The cookies of the visitor's browser: the panel's own, and that of the chosen release. */
let chosen = '';
const service = await panelService([restaurant]);
const visitor = await signedIn(service.client);

const { sql } = service;
const cookies = () => ({ Cookie: [visitor.cookie, chosen].filter(Boolean).join('; ') });
/** The visitor's helper keeps one cookie, so this keeps both. */
async function keeping(send: () => Promise<Awaited<ReturnType<Visitor['get']>>>) {
  const own = visitor.cookie;
  const answer = await send();
  const set = String(answer.headers['set-cookie'] ?? '');
  const release = /lavagna-release=(\d*)/.exec(set);
  if (release) chosen = release[1] ? `lavagna-release=${release[1]}` : '';
  if (!set.includes('lavagna=')) visitor.cookie = own;
  return answer;
}
const get = (path: string) => keeping(() => visitor.get(path, cookies()));
const post = (path: string, fields: Record<string, string | string[]>) =>
  keeping(() => visitor.post(path, fields, cookies()));
async function follow(answer: { status: number; headers: Record<string, unknown>; text: string }) {
  assert.equal(answer.status, 303, answer.text.slice(0, 2_000));
  return get(String(answer.headers.location));
}
const menu = async () => (await service.client.get('/menu')).text;
const dishId = async (name: string) =>
  (await sql(`select id from dishes where name ->> 'it' = '${name}'`))[0].id as number;
const release = async () => (await sql('select * from releases order by id limit 1'))[0];

test('a release is made by its name, and its browser saves into it', async () => {
  await get('/admin/releases');
  assert.equal((await post('/admin/releases', { name: '' })).status, 422);
  const form = await get('/admin/releases');
  const [, formId = ''] = /name="form_id" value="([^"]+)"/.exec(form.text) ?? [];
  const twice = { name: 'Natale', form_id: formId };
  const first = await post('/admin/releases', twice);
  const again = await post('/admin/releases', twice);
  assert.equal(again.headers.location, first.headers.location);
  assert.equal((await sql('select from releases')).length, 1);
  (await follow(again)).shows(/<h1 dir="auto">Natale<\/h1>/);
  (await get('/admin/menu')).shows(/Stai preparando «Natale»/);
  // The kitchen’s page acts at once.
  (await get('/admin/service')).hides(/Stai preparando/);
});

test('forms and lists save into the release, and the menu stays', async () => {
  const id = await dishId('Gricia');
  const before = await menu();
  const path = `/admin/menu/items/${id}`;
  const form = { ...formOf((await get(path)).text), do: 'save' };
  const said = await follow(await post(path, { ...form, price: '13', 'description.it': 'Buona' }));
  said.shows(/Messo in «Natale»/);
  assert.equal(formOf(said.text).price?.[0], '13,00');
  const section = (await sql('select id from sections'))[0].id;
  const list = await get(`/admin/menu?section=${section}`);
  const sent = { ...formOf(list.text, 'list'), do: `hide:${await dishId('Amatriciana')}` };
  await follow(await post(`/admin/menu?section=${section}`, sent));
  const made = await get('/admin/menu/sections/new');
  const standard = { menu_type: 'standard', 'name.it': 'Menù di Natale' };
  const fields = { ...formOf(made.text), do: 'save', ...standard };
  await follow(await post('/admin/menu/sections/new', fields));
  const shown = await get(`/admin/releases/${(await release()).id}`);
  const [, link = ''] =
    /href="(\/admin\/menu\/items\/new\?section=new:[^"]+)"/.exec(shown.text) ?? [];
  const dish = await get(link);
  dish.shows(/<option value="new:p-\w+" selected>Menù di Natale<\/option>/);
  const filled = { ...formOf(dish.text), do: 'save', 'name.it': 'Cappone', price: '22' };
  await follow(await post('/admin/menu/items/new', filled));
  const lists = (await get(`/admin/menu?section=${section}`)).text;
  assert.match(lists, /value="13,00"/, 'the list has the price that is prepared');
  assert.match(lists, /Menù di Natale/, 'and the new section');
  (await get('/admin/menu?q=Cappone')).shows(/planned=p-\w+" dir="auto">Cappone</);
  assert.match(lists, new RegExp(`href="/admin/releases/${(await release()).id}/preview"`));
  assert.match(lists, /Torna al menù di oggi/);
  const first = (await get('/admin')).text;
  assert.match(first, /Stai preparando «Natale»/);
  assert.match(first, new RegExp(`href="/admin/releases/${(await release()).id}/preview"`));
  assert.doesNotMatch(first, /href="\/" target/);
  assert.match(first, /ci sono 3 piatti in 2 sezioni/);
  assert.match(first, /state=hidden"><strong>1</);
  const { operations } = await release();
  assert.deepEqual(each(operations, 'resource'), ['items', 'items', 'categories', 'items']);
  assert.deepEqual(each(operations, 'action'), ['update', 'update', 'create', 'create']);
  const ids = [id, await dishId('Amatriciana'), undefined, undefined];
  assert.deepEqual(each(operations, 'id'), ids);
  assert.deepEqual(operations[0].expected, { price: 11, description: {} });
  assert.equal(await menu(), before);
});

test('the page of a release shows its difference with names, and takes a change out', async () => {
  const { id } = await release();
  const shown = (await get(`/admin/releases/${id}`)).shows(/<bdi>Gricia<\/bdi>/);
  shown.shows(/<del>11,00<\/del>[\s\S]*<ins>13,00<\/ins>/, /<bdi>Cappone<\/bdi>/);
  // Browsers keep forms with a name of their own, and send them when there is a connection.
  const kept = /name="do" value="(\w+)"><input type="hidden" name="form_id"/g;
  const deeds = Array.from(shown.text.matchAll(kept), ([, deed]) => deed);
  assert.deepEqual(deeds, ['publish', 'copy']);
  // A record that it makes is changed in it, and so is one of the menu.
  const made = await follow(await post(`/admin/releases/${id}`, { do: 'edit:3' }));
  const form = formOf(made.text);
  assert.deepEqual([form['name.it'], form.price], [['Cappone'], ['22,00']]);
  made.shows(/<option value="new:p-\w+" selected>Menù di Natale<\/option>/);
  const [, own = ''] = /action="([^"]+\?planned=p-\w+)"/.exec(made.text) ?? [];
  const wrong = (await post(own, { ...form, do: 'save', price: 'x' })).expect(422);
  wrong.shows(/action="[^"]+\?planned=p-\w+"/);
  const saved = await follow(await post(own, { ...formOf(wrong.text), do: 'save', price: '24' }));
  saved.shows(/Messo in «Natale»/);
  const stored = (await release()).operations;
  assert.deepEqual([stored.length, stored[3].action, stored[3].data.price], [4, 'create', 24]);
  assert.equal((await get(own.replace(/planned=.*/, 'planned=p-0'))).status, 404);
  const gricia = await follow(await post(`/admin/releases/${id}`, { do: 'edit:0' }));
  assert.equal(formOf(gricia.text).price?.[0], '13,00');
  await get(`/admin/releases/${id}`);
  await follow(await post(`/admin/releases/${id}`, { do: 'remove:1' }));
  assert.equal((await release()).operations.length, 3);
  const past = { do: 'save', name: 'Natale', starts_at: '2020-01-01T10:00', ends_at: '' };
  (await post(`/admin/releases/${id}`, past)).expect(422).shows(/Questo momento è già passato/);
  const times = { starts_at: '2198-12-24T19:00', ends_at: '2198-12-27T00:00' };
  const named = { do: 'save', name: 'Vigilia', ...times };
  (await follow(await post(`/admin/releases/${id}`, named))).shows(/programmata/);
  const { name, starts_at } = await release();
  assert.deepEqual([name, starts_at.toISOString()], ['Vigilia', '2198-12-24T18:00:00.000Z']);
  // The clocks show half past two for the second time.
  const twice = '2198-10-28T01:30:00Z';
  // The worker, which may look at the release now, locks the restaurant first, too.
  await sql(`update releases r set starts_at = '${twice}'
    from (select id from tenants for no key update) t where t.id = r.tenant_id`);
  const shownAgain = formOf((await get(`/admin/releases/${id}`)).text);
  assert.equal(String(shownAgain.starts_at), '2198-10-28T02:30');
  await follow(await post(`/admin/releases/${id}`, { ...shownAgain, do: 'save', name: 'Vigilia' }));
  assert.equal((await release()).starts_at.toISOString(), '2198-10-28T01:30:00.000Z');
});

test('a release that does not fit is on the first page; one that fits is published and taken back', async () => {
  const { id } = await release();
  await post(`/admin/releases/${id}`, { do: 'stop' });
  assert.equal(chosen, '');
  const path = `/admin/menu/items/${await dishId('Gricia')}`;
  const save = async (price: string) => {
    const form = { ...formOf((await get(path)).text), do: 'save', price };
    await follow(await post(path, form));
  };
  await save('12');
  assert.match(await menu(), /"price":12\b/);
  await until('the first page says nothing', async () =>
    /Vigilia<\/a>[\s\S]*1 cosa non corrisponde/.test((await get('/admin')).text),
  );
  const refused = await follow(await post(`/admin/releases/${id}`, { do: 'publish' }));
  refused.shows(/non si può pubblicare/, /Prezzo[\s\S]*cambiato nel frattempo/);
  await save('11');
  await get(`/admin/releases/${id}`);
  // The same form again is the same write.
  await post(`/admin/releases/${id}`, { do: 'publish' });
  const published = await follow(await post(`/admin/releases/${id}`, { do: 'publish' }));
  published.shows(/«Vigilia» è pubblicato/);
  assert.match(await menu(), /Cappone/);
  await save('14');
  await until('the page does not say what stays', async () =>
    /Che cosa resterà com’è alla fine[\s\S]*Prezzo/.test((await get(`/admin/releases/${id}`)).text),
  );
  await save('13');
  // A release after the end expects the menu as it is then.
  await sql`insert into releases (tenant_id, name, state, starts_at)
    select id, 'Befana', 'scheduled', '2199-01-06' from tenants`;
  const [{ id: later }] = await sql("select id from releases where name = 'Befana'");
  await get(`/admin/releases/${later}`);
  await post(`/admin/releases/${later}`, { do: 'prepare' });
  await save('15');
  await post(`/admin/releases/${later}`, { do: 'stop' });
  const [befana] = await sql(`delete from releases where id = ${later} returning operations`);
  assert.deepEqual(befana.operations[0].expected, { price: 11 });
  (await follow(await post(`/admin/releases/${id}`, { do: 'end' }))).shows(/«Vigilia» è concluso/);
  assert.doesNotMatch(await menu(), /Cappone/);
  assert.match(await menu(), /"price":11\b/);
});

test('a release is copied, emptied and deleted; forms without a token change nothing', async () => {
  const { id } = await release();
  await get(`/admin/releases/${id}`);
  const copy = await follow(await post(`/admin/releases/${id}`, { do: 'copy' }));
  copy.shows(/Vigilia \(copia\)/);
  const [, path = ''] = /action="(\/admin\/releases\/\d+)"/.exec(copy.text) ?? [];
  assert.notEqual(path, `/admin/releases/${id}`);
  (await post(path, { do: 'clear', form_token: 'x' })).expect(403);
  await get(path);
  (await follow(await post(path, { do: 'clear' }))).shows(/Ancora nessuna modifica/);
  await get(path);
  (await follow(await post(path, { do: 'delete' }))).shows(/è eliminato/);
  assert.equal((await get(path)).status, 404);
  const stranger = createVisitor(service.client);
  assert.equal((await stranger.get(`/admin/releases/${id}`)).status, 303);
});

test('a change that a program made says what the field is now, and where others look at it', async () => {
  const api = createAdminClient(service.client, await issueToken(service.db, service.tenantId));
  const id = await dishId('Gricia');
  const { price } = (await api.call('GET', `/items/${id}`)).json.data;
  const change = { action: 'update', resource: 'items', id, data: { price: 77 } };
  const lost = { ...change, id: 999_999 };
  const made = await api.call('POST', '/releases', { name: 'Fiera', operations: [change, lost] });
  const { text } = await get(`/admin/releases/${made.json.data.id}`);
  const now = new Intl.NumberFormat('it', { minimumFractionDigits: 2 }).format(price);
  assert.match(text, new RegExp(`<del>${now}</del>.*<ins>77,00</ins>`, 's'));
  assert.match(text, /<bdi>Piatto 999999<\/bdi>/);
  assert.match(text, /href="http:\/\/[^"]+\/preview\/[\w-]+"/);
  // A colour is no number of a record.
  assert.doesNotMatch(text.replaceAll('"#000"', ''), /#\d{2}/);
});

test('a plain text of a program is shown in the default language, in the list and in the form', async () => {
  const api = createAdminClient(service.client, await issueToken(service.db, service.tenantId));
  const id = await dishId('Gricia');
  await api.call('PATCH', `/items/${id}`, { external_id: 'gricia' });
  const [{ id: category_id }] = await sql('select id from sections order by id limit 1');
  const operations = [
    { action: 'update', resource: 'items', id, data: { description: 'Senza uova' } },
    { action: 'upsert', resource: 'items', external_id: 'gricia', data: { price: 78 } },
    {
      ...{ action: 'create', resource: 'items' },
      data: { name: { it: 'Lesso' }, description: 'Con le salse', price: 18, category_id },
    },
    {
      ...{ action: 'create', resource: 'wineries' },
      data: { external_id: 'colli', name: 'I Colli' },
    },
  ];
  const made = await api.call('POST', '/releases', { name: 'Sagra', operations });
  const path = `/admin/releases/${made.json.data.id}`;
  (await get(path)).shows(/<ins><span lang="it">Senza uova</, /<dd><span lang="it">Con le salse</);
  const planned = await follow(await post(path, { do: 'edit:2' }));
  planned.shows(/<option value="new:colli">I Colli<\/option>/);
  const lesso = formOf(planned.text);
  assert.deepEqual([lesso['name.it'], lesso['description.it']], [['Lesso'], ['Con le salse']]);
  const gricia = await get(`/admin/menu/items/${id}`);
  const form = formOf(gricia.text);
  assert.deepEqual([form['description.it'], form.price], [['Senza uova'], ['78,00']]);
  // A save changes what the program asked for, by whichever name.
  await follow(await post(`/admin/menu/items/${id}`, { ...form, do: 'save', price: '79' }));
  const [{ operations: stored }] = await sql`select operations from releases where name = 'Sagra'`;
  const ofGricia = stored.filter(
    (one: Record<string, unknown>) => one.id === id || one.external_id === 'gricia',
  );
  assert.deepEqual(each(ofGricia, 'data'), [{ description: 'Senza uova', price: 79 }]);
  assert.equal(stored.length, operations.length - 1);
  assert.equal(formOf((await get(`/admin/menu/items/${id}`)).text).price?.[0], '79,00');
  await get(path);
  await post(path, { do: 'stop' });
});
