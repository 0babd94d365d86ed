// Who may do what: roles, invitations, links, and what people change of their own account.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Scope } from '../../../db/schema/token.ts';
import { type Role, roles } from '../../../db/schema/user.ts';
import { createUser } from '../../../db/sql/users.ts';
import { type AdminClient, createAdminClient, issueToken } from '../../support/admin.ts';
import { createToken } from '../../support/create-token.ts';
import { each } from '../../support/each.ts';
import { workedService } from '../../support/menu-service.ts';
import { plainText } from '../../support/page-forms.ts';
import {
  createVisitor,
  EMAIL,
  PASSWORD,
  passwordHash,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';

const service = await workedService([trattoria]);
before(() => addPerson('owner', EMAIL));

async function addPerson(role: Role, email: string): Promise<number> {
  const { db, tenantId } = service;
  return Number(await createUser(db, { tenantId, email, passwordHash, role, name: role }));
}

const visit = (): Visitor => createVisitor(service.client);

const signedInAs = (email = EMAIL): Promise<Visitor> => signedIn(service.client, email);

/** Somebody new with a role, who has signed in. */
async function personOf(role: Role, email: string): Promise<Visitor> {
  await addPerson(role, email);
  return signedInAs(email);
}

const ownerId = async (): Promise<number> =>
  (await service.sql('select id from users where email = $1', [EMAIL]))[0].id;

/** Speaks to the admin API by a token of a person. */
async function adminOf(userId: number, scopes: readonly Scope[]): Promise<AdminClient> {
  const { db, tenantId, client } = service;
  return createAdminClient(
    client,
    (await createToken(db, { tenantId, userId, name: 'T', scopes })).token,
  );
}

/** The link that a page shows, as the path of its host. */
function shownLink({ page }: Visitor): string {
  const [, text = ''] = /<textarea id="link-value"[^>]*>([^<]*)</.exec(page.text) ?? [];
  const url = new URL(plainText(text));
  assert.match(url.pathname, /^\/admin\/link\/[\w-]{43}$/);
  return url.pathname;
}

async function inviteTo(owner: Visitor, email: string, role: Role): Promise<string> {
  (await owner.submit('/admin/people', { name: 'Ada', email, role })).expect(201);
  return shownLink(owner);
}

test('somebody who is invited chooses a password, once, and has the role', async () => {
  const owner = await signedInAs();
  const path = await inviteTo(owner, 'ada@trattoria.example', 'editor');
  owner.page.shows(/<svg /);
  // A reader of mail looks at the link, too.
  const guest = visit();
  for (let i = 0; i < 2; i += 1) assert.equal((await guest.get(path)).status, 200);
  (await guest.post(path, { name: 'Ada', password: 'password1' })).expect(422);
  const joined = await guest.post(path, { name: 'Ada Neri', password: 'gnocchi al ragù' });
  assert.equal(joined.expect(303).headers.location, '/admin');
  assert.equal((await guest.get('/admin')).status, 200);
  assert.equal((await visit().get(path)).status, 410);
  const again = visit();
  assert.equal((await again.post(path, { name: 'X', password: 'gnocchi al ragù' })).status, 410);
  assert.equal((await again.signIn('ada@trattoria.example', 'gnocchi al ragù')).status, 303);
  (await owner.get('/admin/people')).shows(/Ada Neri/);
  const log = await service.sql('select * from people_log order by id');
  assert.deepEqual(each(log, 'action'), ['invited', 'joined']);
  assert.ok(!JSON.stringify(log).includes(path.split('/').at(-1) ?? ''));
});

test('a link is of its restaurant, is replaced by the next one, and ends with the invitation', async () => {
  const owner = await signedInAs();
  const first = await inviteTo(owner, 'bea@trattoria.example', 'service');
  const [user] = await service.sql(`select id from users where email = 'bea@trattoria.example'`);
  assert.equal((await owner.submit(`/admin/people/${user.id}`, { do: 'link' })).status, 201);
  const second = shownLink(owner);
  assert.equal((await visit().get(first)).status, 410);
  assert.equal((await visit().get(second)).status, 200);
  await service.sql(`update account_links set expires_at = now() where user_id = $1`, [user.id]);
  assert.equal((await visit().get(second)).status, 410);
  assert.match((await owner.get('/admin/people')).text, /Invito scaduto/);
  await owner.submit(`/admin/people/${user.id}`, { do: 'link' });
  const third = shownLink(owner);
  (await owner.submit(`/admin/people/${user.id}`, { do: 'remove' })).expect(303);
  assert.equal((await visit().get(third)).status, 410);
});

test('an invited person has the role that the invitation has when it is accepted', async () => {
  const owner = await signedInAs();
  const path = await inviteTo(owner, 'carla@trattoria.example', 'owner');
  const [user] = await service.sql(`select id from users where email = 'carla@trattoria.example'`);
  await owner.submit(`/admin/people/${user.id}`, { do: 'save', name: 'Carla', role: 'service' });
  const guest = visit();
  const joined = await guest.submit(path, { name: 'Carla', password: 'gnocchi al ragù' });
  assert.equal(joined.headers.location, '/admin/service');
  assert.match(joined.headers['set-cookie'] ?? '', /Max-Age=2592000/);
  assert.equal((await guest.get('/admin/people')).status, 403);
});

test('who accepts an invitation in a browser of somebody else leaves that session', async () => {
  const owner = await signedInAs();
  const path = await inviteTo(owner, 'dora@trattoria.example', 'editor');
  const before = owner.cookie;
  await owner.submit(path, { name: 'Dora', password: 'gnocchi al ragù' });
  assert.notEqual(owner.cookie, before);
  const old = visit();
  old.cookie = before;
  assert.equal((await old.get('/admin/people')).status, 303);
  assert.equal((await owner.get('/admin/people')).status, 403);
});

test('the last owner can be neither removed nor made less, by form or by token', async () => {
  const owner = await signedInAs();
  const id = await ownerId();
  for (const fields of [{ do: 'remove' }, { do: 'save', name: 'I', role: 'editor' }]) {
    (await owner.submit(`/admin/people/${id}`, fields as Record<string, string>)).expect(422);
  }
  const admin = await adminOf(id, ['users:write']);
  assert.equal((await admin.call('DELETE', `/users/${id}`)).status, 422);
  (await admin.call('PATCH', `/users/${id}`, { role: 'service' })).refuses('role');
});

test('two owners who make each other less at the same time leave one', async () => {
  const other = await addPerson('owner', 'zoe@trattoria.example');
  const id = await ownerId();
  const admin = await adminOf(id, ['users:write']);
  const made = await Promise.all(
    [id, other].map((one) => admin.call('PATCH', `/users/${one}`, { role: 'editor' })),
  );
  assert.equal(made.filter(({ status }) => status === 200).length, 1);
  await service.sql(`update users set role = 'owner' where id = $1`, [id]);
  await service.sql('delete from users where id = $1', [other]);
});

test('a token never may do more than its user, also after the role of the user has changed', async () => {
  const userId = await addPerson('owner', 'tito@trattoria.example');
  const scopes = ['menu:write', 'menu:read', 'analytics:read', 'users:write'] as const;
  const admin = await adminOf(userId, scopes);
  const statuses = async () => [
    (await admin.get('/users')).status,
    (await admin.get('/items')).status,
    (await admin.get('/analytics/overview')).status,
    (await admin.call('PATCH', '/items/1', { price: 9 })).status,
    (await admin.call('PATCH', '/items/1', { sold_out_until: null })).status,
  ];
  const be = (role: Role) =>
    service.sql('update users set role = $1 where id = $2', [role, userId]);
  assert.deepEqual(await statuses(), [200, 200, 200, 200, 200]);
  await be('editor');
  assert.deepEqual(await statuses(), [403, 200, 200, 200, 200]);
  await be('service');
  assert.deepEqual(await statuses(), [403, 403, 403, 403, 200]);
});

test('a person whose role changes or who is removed is out at once, with open forms', async () => {
  const owner = await signedInAs();
  const id = await addPerson('editor', 'ugo@trattoria.example');
  const ugo = await signedInAs('ugo@trattoria.example');
  await ugo.get('/admin/menu/items/1');
  // A name that is none is refused with words, and the role stays with it.
  const blank = { do: 'save', name: ' ', role: 'owner' };
  const nameless = (await owner.submit(`/admin/people/${id}`, blank)).expect(422);
  nameless.shows(/Scrivi un nome/, /value="editor" [^>]*checked/, />Chiudi tutti gli accessi</);
  await owner.post(`/admin/people/${id}`, { do: 'save', name: 'Ugo', role: 'service' });
  (await ugo.post('/admin/menu/items/1', { price: '1' })).shows(/action="\/admin\/sign-in"/);
  await ugo.signIn('ugo@trattoria.example');
  assert.equal((await ugo.get('/admin/menu')).status, 403);
  await owner.submit(`/admin/people/${id}`, { do: 'remove' });
  assert.match((await ugo.get('/admin/account')).headers.location ?? '', /^\/admin\/sign-in/);
  assert.equal((await ugo.signIn('ugo@trattoria.example')).status, 422);
});

test('somebody changes the own password, which ends the other sessions', async () => {
  const pia = await personOf('service', 'pia@trattoria.example');
  const tablet = await signedInAs('pia@trattoria.example');
  const change = (present: string, chosen: string) =>
    pia.submit('/admin/account', { do: 'password', present, new: chosen });
  assert.equal((await change('wrong password', 'gnocchi al ragù')).status, 422);
  assert.equal((await change(PASSWORD, 'short')).status, 422);
  const done = await change(PASSWORD, 'gnocchi al ragù');
  assert.equal(done.headers.location, '/admin/account?done=password');
  assert.equal((await pia.get('/admin/account')).status, 200);
  assert.equal((await tablet.get('/admin/account')).status, 303);
});

test('somebody sees the own sessions by device, and ends one and all others', async () => {
  await addPerson('editor', 'lia@trattoria.example');
  const agents = ['Mozilla/5.0 (iPad) Safari/605', 'Mozilla/5.0 (Windows NT 10.0) Firefox/130'];
  const visitors: Visitor[] = [];
  for (const agent of agents) {
    const visitor = visit();
    await visitor.get('/admin/sign-in');
    const fields = { email: 'lia@trattoria.example', password: PASSWORD };
    await visitor.post('/admin/sign-in', fields, { 'User-Agent': agent });
    visitors.push(visitor);
  }
  const [tablet, desk] = visitors as [Visitor, Visitor];
  const { text } = (await desk.get('/admin/account')).shows(/Safari · iPad/, /Firefox · Windows/);
  const [, session = ''] = /name="session" value="(\w+)"/.exec(text) ?? [];
  await desk.post('/admin/account', { do: 'end', session });
  assert.equal((await tablet.get('/admin/account')).status, 303);
  const third = await signedInAs('lia@trattoria.example');
  await desk.submit('/admin/account', { do: 'end-all' });
  assert.equal((await third.get('/admin/account')).status, 303);
  assert.equal((await desk.get('/admin/account')).status, 200);
});

test('every page of the panel is open to the roles of its scope, and to no other', async () => {
  const ofMenu = ['menu', 'menu/items/1', 'restaurant', 'appearance', 'import', 'import/export'];
  const pages: [allowed: readonly Role[], paths: readonly string[]][] = [
    [roles, ['account', 'service']],
    [
      ['owner', 'editor'],
      [...ofMenu, 'statistics', 'qr', 'qr.png', 'print'],
    ],
    [['owner'], ['people', 'people/1', 'api-tokens', 'webhooks', 'webhooks/1']],
  ];
  for (const role of roles) {
    const visitor = await personOf(role, `${role}@matrix.example`);
    for (const [allowed, paths] of pages) {
      const isOpen = allowed.includes(role);
      for (const path of paths) {
        const { status } = await visitor.get(`/admin/${path}`);
        assert.equal(status !== 403, isOpen, `${role} ${path}: ${status}`);
      }
    }
  }
});

test('who serves says why a dish is sold out, and the page of who serves shows it', async () => {
  const { tenantId } = service;
  const waiter = await personOf('service', 'sala@trattoria.example');
  await waiter.get('/admin/service');
  const [dish] = await service.sql(
    'select id from dishes where tenant_id = $1 and is_active and not is_sold_out order by id limit 1',
    [tenantId],
  );
  const tap = { dish: String(dish.id), do: 'open', note: ' Torna venerdì ' };
  (await waiter.post('/admin/service', tap)).expect(303);
  const stored = 'select sold_out_note as note from dishes where tenant_id = $1 and id = $2';
  const [{ note }] = await service.sql(stored, [tenantId, dish.id]);
  assert.deepEqual(note, { it: 'Torna venerdì' });
  (await waiter.get('/admin/service')).shows(/<span dir="auto">Torna venerdì<\/span>/);
});

test('each button of the page of who serves marks a dish as sold out, also the one for tonight', async () => {
  const cook = await personOf('service', 'cucina@trattoria.example');
  const page = (await cook.get('/admin/service')).text;
  const [, row = ''] = page.split('<li class="" id="dish-');
  const spans = Array.from(row.matchAll(/name="do" value="(\w+)"/g), ([, span = '']) => span);
  assert.ok(spans.includes('tonight'), row);
  for (const span of spans.slice(0, 4)) {
    const sent = await cook.submit('/admin/service', { dish: row.split('"')[0] ?? '', do: span });
    assert.equal(sent.status, 303, span);
  }
});

test('who serves marks a size and an extra as sold out, also after the list has changed', async () => {
  const { client, db, tenantId } = service;
  const admin = createAdminClient(client, await issueToken(db, tenantId, ['menu:write']));
  const options = [{ label: { it: 'Verde' } }, { label: { it: 'Rossa' }, price: 1 }];
  const group = await admin.call('POST', '/modifier-groups', { name: { it: 'Salse' }, options });
  const [{ id }] = (await client.get('/items')).json.data;
  const variants = [
    { label: { it: 'Mezza' }, price: 7, external_id: 'M' },
    { label: { it: 'Intera' }, price: 12, volume_ml: 500 },
  ];
  const body = { variants, modifier_group_ids: [group.json.data.id], sold_out_until: null };
  assert.equal((await admin.call('PATCH', `/items/${id}`, body)).status, 200);
  const waiter = await personOf('service', 'bar@trattoria.example');
  const rows = (await waiter.get('/admin/service')).text.split('<li ');
  const own = rows.find((row) => row.includes(`id="dish-${id}"`)) ?? '';
  const extra = rows.find((row) => row.includes(`id="option-${group.json.data.id}-0"`)) ?? '';
  const fields = (row: string) =>
    Object.fromEntries(
      Array.from(row.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g), (one) => [
        one[1],
        plainText(one[2] ?? ''),
      ]),
    );
  const sizes = async () => (await client.get(`/items/${id}`)).json.data.variants;
  const tomorrow = { ...fields(own), group: '', do: 'size.1.tomorrow' };
  (await waiter.post('/admin/service', tomorrow)).expect(303);
  const [half, whole] = await sizes();
  assert.deepEqual([half.is_sold_out, whole.is_sold_out, whole.volume_ml], [undefined, true, 500]);
  assert.ok(Date.parse(whole.sold_out_until) > Date.now());
  // Meanwhile the owner puts another option above: the tap still means the green one.
  await admin.call('PATCH', `/modifier-groups/${group.json.data.id}`, {
    options: [{ label: { it: 'Gialla' } }, ...options],
  });
  (await waiter.post('/admin/service', { ...fields(extra), do: 'open' })).expect(303);
  const isGone = async () =>
    each((await client.get(`/items/${id}`)).json.data.modifier_groups[0].options, 'is_sold_out');
  assert.deepEqual(await isGone(), [false, true, false]);
  const page = (await waiter.get('/admin/service')).text;
  assert.match(page, /Intera<\/span>: Esaurito/);
  assert.match(page, /<details class="group" id="group-\d+" open>/);
  // A second group of the same name says where it belongs, and so does the first one then.
  assert.doesNotMatch(page, /<small dir="auto">/);
  const twin = await admin.call('POST', '/modifier-groups', { name: { it: 'Salse' }, options });
  const [other] = await service.sql`
     select d.id, s.name from dishes d join sections s on s.id = d.category_id
     where s.id <> (select category_id from dishes where id = ${id}) limit 1`;
  const ids = { modifier_group_ids: [twin.json.data.id] };
  assert.equal((await admin.call('PATCH', `/items/${other.id}`, ids)).status, 200);
  const both = (await waiter.get('/admin/service')).text;
  const places = Array.from(both.matchAll(/<small dir="auto">([^<]+)</g), ([, place]) => place);
  assert.deepEqual([places.length, new Set(places).size], [2, 2]);
  assert.ok(places.includes(other.name.it), places.join());
  const back = { ...fields(own), group: '', do: 'size.1.back' };
  assert.equal((await waiter.post('/admin/service', back)).status, 303);
  assert.equal((await sizes())[1].is_sold_out, undefined);
  // A label that is there no more is no size.
  const lost = { ...fields(own), group: '', 'label.1': '[["it","Doppia"]]', do: 'size.1.open' };
  assert.equal((await waiter.post('/admin/service', lost)).status, 409);
  const [stored] = await service.sql('select variants from dishes where id = $1', [id]);
  assert.equal(stored.variants[0].external_id, 'M');
});
