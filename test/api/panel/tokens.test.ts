import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { lockTenant } from '../../../db/sql/tenants.ts';
import { deleteUser, findUser } from '../../../db/sql/users.ts';
import { each } from '../../support/each.ts';
import { startTestGateway, testGateway } from '../../support/gateway.ts';
import type { Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import {
  addUser,
  createVisitor,
  EMAIL,
  shownToken,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';

const PATH = '/admin/api-tokens';
const SCRIPT = '<script>alert("x")</script>\'"&';

const named = { ...pizzeria, settings: { ...pizzeria.settings, name: SCRIPT } };
const { databaseUrl, sql, db, gateway, tenantId } = await menuService([trattoria, named], {
  alone: true,
});
const second = await testGateway(databaseUrl);
for (const at of [0, 1]) await addUser(db, tenantId + at);
let visitor: Visitor;

beforeEach(async () => {
  await sql('delete from tokens');
  visitor = await signedIn(gateway.client('trattoria'));
  await visitor.get(PATH);
});

const tokens = () => sql('select * from tokens order by id');

/** Sends the form on the visitor's page. */
const send = (name: string, scopes: string | string[] = 'menu:read') =>
  visitor.post(PATH, { name, scopes });
/** The same; the page that shows the token. */
const generate = async (name = 'Sito web', scopes = ['menu:read']): Promise<Response> =>
  (await send(name, scopes)).expect(201);

async function apiStatus(token: string, from = gateway, slug = 'trattoria'): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  const { status } = await from.client(slug).get('/admin/items', headers);
  return status;
}

test('a token is shown once, works on every gateway, and is refused once revoked', async () => {
  const banner = await generate();
  assert.equal(banner.headers['cache-control'], 'no-store');
  const token = shownToken(banner) ?? '';
  assert.match(token, /^\d+\|[A-Za-z0-9]{40}$/);
  assert.equal(await apiStatus(token), 200);
  assert.equal(await apiStatus(token, second), 200);
  assert.equal(await apiStatus(token, gateway, 'pizzeria'), 401, 'nothing at another restaurant');

  const [id = ''] = token.split('|');
  (await visitor.get(`${PATH}/${id}/revoke`)).shows(/Revocare «Sito web»\?/);
  assert.equal(await apiStatus(token), 200, 'asking revokes nothing');
  const done = await visitor.post(`${PATH}/${id}/revoke`, {});
  assert.equal(await apiStatus(token), 401);
  assert.equal(await apiStatus(token, second), 401);
  const list = await visitor.get(done.headers.location ?? '');
  list.shows(/Il codice «Sito web» è revocato/, /<span class="state revoked">Revocato</);
  const again = await visitor.get(`${PATH}/${id}/revoke`);
  assert.equal(again.headers.location, `/admin/api-tokens?revoked=${id}`);
});

test('the value cannot be had again: not from the list, not by the same form, not by anybody', async () => {
  const { page } = visitor;
  const token = shownToken(await generate()) ?? '';
  const [id = '', plain = ''] = token.split('|');
  (await visitor.get(PATH)).hides(plain);
  // A browser that reloads the page sends the same form again.
  for (const changed of [{}, { name: 'Sala' }, { scopes: 'menu:write' }]) {
    visitor.page = page;
    const form = { name: 'Sito web', scopes: 'menu:read', ...changed };
    const again = (await visitor.post(PATH, form)).expect(409).hides(plain);
    again.shows(
      /Il codice «Sito web» è già stato creato/,
      `class="button" href="${PATH}/${id}/revoke"`,
    );
  }
  await visitor.post(`${PATH}/${id}/revoke`, {});
  visitor.page = page;
  const late = (await send('Sito web')).expect(409);
  assert.ok(!late.text.includes(`${id}/revoke`), 'a revoked token needs no revoking');
  const rows = await tokens();
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(plain), 'the database does not have it either');
});

test('a form that is sent many times, at once too, makes one token', async () => {
  const { page } = visitor;
  const sent = await Promise.all(Array.from({ length: 6 }, () => send('Cassa', 'menu:write')));
  visitor.page = page;
  sent.push(await send('Cassa', 'menu:write'));
  const count = (wanted: number) => sent.filter(({ status }) => status === wanted).length;
  assert.deepEqual([count(201), count(409)], [1, 6]);
  assert.equal(sent.filter((answer) => shownToken(answer) !== undefined).length, 1);
  assert.equal((await tokens()).length, 1);
});

test('without a name or a scope the form comes back with its errors and what was typed', async () => {
  const noScope = (await visitor.post(PATH, { name: 'Cassa <1>' })).expect(422);
  noScope.shows(/value="Cassa &lt;1&gt;"/, /id="scopes-error">Scegli almeno un permesso\./);
  noScope.shows(/aria-describedby="scopes-hint scopes-error"/);
  const noName = await send('  ', 'menu:write');
  noName.expect(422).shows(/id="name-error">Dai un nome al codice\./);
  noName.shows(/value="menu:write"[^>]* checked>/).hides(/value="menu:read"[^>]* checked>/);
  const neither = await visitor.post(PATH, {});
  neither.shows(/controlla i campi segnati/, /role="alert" tabindex="-1" autofocus/);
  assert.deepEqual(await tokens(), []);
  assert.notEqual(shownToken(await generate('Cassa')), undefined, 'the corrected form can be sent');
});

test('a name of 100 characters is kept, a longer one and unknown scopes are refused', async () => {
  assert.equal((await send('è'.repeat(101))).status, 422);
  assert.equal((await send('x', ['menu:read', 'menu:destroy'])).status, 422);
  assert.equal((await send('x', ['__proto__'])).status, 422);
  await generate('🍕'.repeat(100), ['analytics:read', 'menu:read', 'menu:read']);
  const [token] = await tokens();
  assert.equal(token.name, '🍕'.repeat(100));
  assert.deepEqual(token.scopes, ['menu:read', 'analytics:read']);
});

test('invisible characters do not get into a name', async () => {
  await generate('Sito\u202Egro\u0000\r\n web');
  assert.equal((await tokens())[0].name, 'Sito gro web');
  // Characters that join letters and emoji are visible.
  await visitor.get(PATH);
  await generate('👩‍👩‍👧 می‌خواهم');
  assert.equal((await tokens()).at(-1).name, '👩‍👩‍👧 می‌خواهم');
  assert.equal((await send('\u200d \u200c\u034f\ufe0f\u2800')).status, 422);
});

test('scripts in the names of tokens and restaurants stay text', async () => {
  const banner = await generate(SCRIPT);
  const { id } = (await tokens())[0];
  const escaped = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&quot;&amp;';
  const list = await visitor.get(PATH);
  const question = await visitor.get(`${PATH}/${id}/revoke`);
  for (const page of [banner, list, question]) page.shows(escaped).hides('<script>');
  const other = await createVisitor(gateway.client('pizzeria')).get('/admin/sign-in');
  other.shows(`<title>Anmelden · ${escaped}</title>`).hides('<script>');
});

test('a forged form neither makes a token nor revokes one', async () => {
  await generate();
  const { id } = (await tokens())[0];
  await visitor.get(PATH);
  const host = `http://trattoria.localhost:${gateway.port}`;
  const attempts: [Record<string, string>, Record<string, string>][] = [
    [{ form_token: '' }, {}],
    [{}, { Origin: 'https://evil.example' }],
    [{}, { Origin: `${host}.evil.example` }],
    [{}, { 'Sec-Fetch-Site': 'cross-site' }],
  ];
  for (const path of [PATH, `${PATH}/${id}/revoke`]) {
    for (const [forged, headers] of attempts) {
      const fields = { name: 'Ladro', scopes: 'menu:write', ...forged };
      const { status } = await visitor.post(path, fields, headers);
      assert.equal(status, 403, `${path} ${JSON.stringify([forged, headers])}`);
    }
  }
  const stranger = await signedIn(gateway.client('trattoria'));
  await visitor.get(PATH);
  stranger.page = visitor.page;
  const { status } = await stranger.post(PATH, { name: 'x', scopes: 'menu:read' });
  assert.equal(status, 403, 'the form of another session');
  assert.deepEqual(each(await tokens(), 'revoked_at'), [null]);
});

test('without a session there is nothing to see and nothing to do', async () => {
  await generate();
  const { id } = (await tokens())[0];
  const { page } = visitor;
  const stranger = createVisitor(gateway.client('trattoria'));
  for (const path of ['/admin', PATH, `${PATH}/${id}/revoke`]) {
    assert.equal((await stranger.get(path)).status, 303, path);
  }
  stranger.page = page;
  for (const path of [PATH, `${PATH}/${id}/revoke`]) {
    const { headers } = await stranger.post(path, { name: 'x', scopes: 'menu:read' });
    assert.equal(headers.location, '/admin/sign-in?because=expired');
  }
  assert.deepEqual(each(await tokens(), 'revoked_at'), [null]);
});

test('the tokens of one restaurant are not at another, whatever the address says', async () => {
  await generate('Segreto');
  const { id } = (await tokens())[0];
  const other = await signedIn(gateway.client('pizzeria'));
  (await other.get(PATH)).hides('Segreto');
  const paths = [String(id), '0', '-1', '99999999999', 'x', "1'--", '%00'].map(
    (name) => `${PATH}/${name}/revoke`,
  );
  for (const path of paths) {
    assert.equal((await other.get(path)).status, 404, path);
    assert.equal((await other.post(path, {})).status, 404, path);
  }
  assert.equal((await tokens())[0].revoked_at, null);
});

test('the list says what a token may do, when it was used, and when it should be replaced', async () => {
  await sql(
    `insert into tokens (tenant_id, user_id, name, scopes, hash, created_at, last_used_at)
     select $1, id, t.name, array['menu:read', 'analytics:read'], '\\x00', now() - age, used
     from users, (values
       ('Fresco', interval '89 days 23 hours', null::timestamptz),
       ('Vecchio', interval '90 days', timestamptz '2026-03-01 12:30:00Z')
     ) as t (name, age, used)
     where tenant_id = $1`,
    [tenantId],
  );
  const { text } = await visitor.get(PATH);
  const item = (name: string) =>
    text.split('<li class="token').find((part) => part.includes(`>${name}</h3>`)) ?? '';
  assert.match(item('Fresco'), /state active">Attivo/);
  assert.match(item('Fresco'), /Mai usato/);
  assert.match(item('Vecchio'), /state due">Da rinnovare/);
  assert.match(item('Vecchio'), /Ha più di 90 giorni/);
  assert.match(item('Vecchio'), /1 mar 2026, 13:30/, "in the restaurant's time zone");
  assert.match(item('Vecchio'), /Leggere il menù[\s\S]*Leggere le statistiche/);
  assert.match(text, /2 attivi/);
});

test('using a token shows in the list', async () => {
  const token = shownToken(await generate()) ?? '';
  (await visitor.get(PATH)).shows(/Mai usato/);
  // A gateway that stops has written down what it knows.
  const third = await startTestGateway(databaseUrl);
  assert.equal(await apiStatus(token, third), 200);
  await third.stop();
  (await visitor.get(PATH)).hides(/Mai usato/);
});

test('when a user is deleted, so are the tokens, which are refused at once', async () => {
  await addUser(db, tenantId, 'short@trattoria.example');
  await visitor.signIn('short@trattoria.example');
  await visitor.get(PATH);
  const token = shownToken(await generate('Effimero')) ?? '';
  assert.equal(await apiStatus(token), 200);
  const user = await findUser(db, tenantId, 'short@trattoria.example');
  await deleteUser(db, tenantId, user?.id ?? 0);
  assert.equal(await apiStatus(token), 401);
  await visitor.signIn(EMAIL);
  (await visitor.get(PATH)).hides('Effimero');
});

test('a restaurant has at most a hundred active tokens, and hears why', async () => {
  await sql(
    `insert into tokens (tenant_id, user_id, name, scopes, hash)
     select $1, id, 'n' || n, array['menu:read'], '\\x00' from users, generate_series(1, 98) as n
     where tenant_id = $1`,
    [tenantId],
  );
  const forms = await Promise.all(Array.from({ length: 6 }, () => visitor.get(PATH)));
  const sent = await Promise.all(
    forms.map((page) => {
      visitor.page = page;
      return send('Insieme');
    }),
  );
  assert.equal(sent.filter(({ status }) => status === 201).length, 2, 'also of many at once');
  assert.equal((await tokens()).length, 100);
  const more = (await send('Uno ancora')).expect(422);
  more.shows(/Ci sono già 100 codici attivi/, /value="Uno ancora"/);
});

test('a token is made while the menu is being changed', async () => {
  await db.transaction(async (write) => {
    await lockTenant(write, tenantId, 'wait');
    assert.notEqual(shownToken(await generate()), undefined);
  });
});

test('a fault of ours is a 500 in words, and the menu goes on', async () => {
  const lonely = await startTestGateway(databaseUrl);
  const client = lonely.client('trattoria');
  assert.equal((await client.get('/menu')).status, 200);
  await sql('alter table sessions rename to sessions_away');
  try {
    const failed = await client.send(PATH, { headers: { Cookie: visitor.cookie } });
    failed.expect(500).shows(/Un momento, per favore/);
    assert.equal((await client.get('/menu')).status, 200);
  } finally {
    await sql('alter table sessions_away rename to sessions');
    await lonely.stop();
  }
});
