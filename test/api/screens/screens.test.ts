// Screens: how a browser gets its place, how it keeps it, and what the API makes of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { createScreenContacts } from '../../../gateway/display/screens.ts';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';
import { checkAnswer } from '../../support/contract.ts';
import { each } from '../../support/each.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

type Row = { id: number; name: string };

const QUICK = { streamCommentInterval: 300, screenContactInterval: 300 };
const service = await adminService({ constants: QUICK });
await addUser(service.db, service.tenantId);
const visitor = await signedIn(service.client);

/** A browser on a wall. */
function createScreen() {
  let cookie = '';
  const open = async (path = '/screen') => {
    const headers = { ...(cookie && { Cookie: cookie }) };
    const answer = await service.client.send(path, { headers });
    cookie = answer.headers['set-cookie']?.split(';')[0] ?? cookie;
    return answer;
  };
  return {
    open,
    cookie: () => cookie,
    letters: async () => /class="letters"[^>]*>([A-Z]{6})</.exec((await open()).text)?.[1] ?? '',
  };
}

async function place(name: string) {
  const screen = createScreen();
  const code = await screen.letters();
  const { json } = (await service.admin.call('POST', '/screens', { name, code })).expect(201);
  return { screen, data: json.data as Row };
}

test('/screen shows six letters and their code until they are typed, and its menu then', async () => {
  const screen = createScreen();
  const first = (await screen.open()).expect(200);
  assert.match(first.headers['set-cookie'] ?? '', /Max-Age=34560000; HttpOnly; SameSite=Lax/);
  first.shows(/http-equiv="refresh"/);
  const code = await screen.letters();
  assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{6}$/);
  first.shows(new RegExp(`aria-label="[^"]*/admin/screens\\?code=${code}"`));
  const typed = `${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`;
  const answer = await service.admin.call('POST', '/screens', { name: ' Sala ', code: typed });
  checkAnswer('POST', '/api/v1/admin/screens', answer.expect(201));
  const { id } = answer.json.data;
  assert.equal(answer.headers.location, `/api/v1/admin/screens/${id}`);
  assert.equal(answer.json.data.state, 'here');
  (await screen.open()).shows(/<main id="menu"/);
  const again = (await service.admin.call('POST', '/screens', { name: 'Altra', code })).expect(422);
  assert.deepEqual(again.json.codes.code[0].rule, 'screenCode');
});

test('letters are another browser’s with another cookie, and end after five minutes', async () => {
  const [one, other] = [createScreen(), createScreen()];
  const code = await one.letters();
  assert.notEqual(code, await other.letters());
  await service.sql`
    update screen_codes set expires_at = now() - interval '1 second' where code = ${code}`;
  (await service.admin.call('POST', '/screens', { name: 'Sala', code })).expect(422);
  assert.notEqual(await one.letters(), code);
  assert.equal(constants.screenCodeTtl, 300_000);
});

test('a screen stays as it is when another restaurant types the letters that its cookie shows there', async () => {
  const { screen, data } = await place('Sala');
  const tenantId = await plant(service.db, restaurantOf('other', []));
  const token = await issueToken(service.db, tenantId);
  const client = service.gateway.client('other');
  const shown = await client.send('/screen', { headers: { Cookie: screen.cookie() } });
  const [, code = ''] = /class="letters"[^>]*>([A-Z]{6})</.exec(shown.text) ?? [];
  const other = createAdminClient(client, token);
  const { json } = (await other.call('POST', '/screens', { name: 'Altrui', code })).expect(201);
  assert.notEqual(json.data.id, data.id);
  assert.equal((await service.admin.get(`/screens/${data.id}`)).json.data.name, 'Sala');
  assert.equal((await other.get('/screens')).json.data.length, 1);
});

test('wrong letters are counted for the restaurant, right ones are not', async () => {
  const wrong = () => service.admin.call('POST', '/screens', { name: 'Sala', code: 'BBBBBB' });
  await service.sql("delete from sign_in_attempts where kind = 'screen'");
  await place('Prima');
  for (let tries = constants.maxScreenGuesses; tries > 0; tries -= 1) {
    assert.equal((await wrong()).json.codes.code[0].rule, 'screenCode');
  }
  const screen = createScreen();
  const code = await screen.letters();
  const refused = await service.admin.call('POST', '/screens', { name: 'Sala', code });
  assert.equal(refused.json.codes.code[0].rule, 'screenGuesses');
  await service.sql("delete from sign_in_attempts where kind = 'screen'");
});

test('a screen keeps its place when it is renamed, and shows letters when it is deleted', async () => {
  const { screen, data } = await place('Banco');
  const path = `/screens/${data.id}`;
  const settings = async () => (await screen.open('/screen/settings')).json;
  assert.equal((await settings()).name, 'Banco');
  const sections = each((await service.admin.get('/categories')).json.data, 'id');
  const change = {
    ...{ name: 'Bar', section_ids: [sections[0]], languages: ['it'], page_seconds: 9, columns: 1 },
    ...{ orientation: 'portrait', text_size: 'large', hide_sold_out: true, tells_away: false },
    ...{ part: 2, parts: 2 },
  };
  const changed = (await service.admin.call('PATCH', path, change)).expect(200);
  checkAnswer('PATCH', `/api/v1/admin${path}`, changed);
  for (const [field, value] of Object.entries(change)) {
    assert.deepEqual(changed.json.data[field], value, field);
  }
  await until('the screen does not follow', async () => (await settings()).name === 'Bar');
  const { restaurant, bundle_keys, ...own } = await settings();
  assert.deepEqual(own, { ...change, name_for: 0 });
  assert.equal(restaurant, 'osteria');
  assert.equal(bundle_keys.length, 1);
  (await service.admin.call('POST', `${path}/show-name`)).expect(204);
  await until('no name is shown', async () => (await settings()).name_for > 0);
  assert.equal((await service.admin.call('DELETE', path)).status, 204);
  await until('it shows no letters', async () =>
    /class="letters"/.test((await screen.open()).text),
  );
  assert.equal((await screen.open('/screen/settings')).status, 404);
  assert.equal((await service.admin.get(path)).status, 404);
});

test('PATCH /admin/screens/{id} refuses what no screen can show, and changes nothing', async () => {
  const { data } = await place('Prova');
  const refuse = async (field: string, value: unknown) => {
    const body = { [field]: value };
    const { status, json } = await service.admin.call('PATCH', `/screens/${data.id}`, body);
    assert.equal(status, 422, JSON.stringify(body));
    assert.ok(Object.keys(json.errors)[0]?.startsWith(field), JSON.stringify(json.errors));
  };
  const wrong = {
    ...{ section_ids: 'tutte', languages: ['ja'], page_seconds: 1, columns: 3, text_size: 'huge' },
    ...{ orientation: 'upside_down', part: 2, parts: 9, name: ' ', hide_sold_out: 'forse' },
  };
  for (const [field, value] of Object.entries(wrong)) await refuse(field, value);
  await refuse('section_ids', [2147483647]);
  const { json } = await service.admin.get(`/screens/${data.id}`);
  assert.deepEqual([json.data.part, json.data.parts, json.data.name], [1, 1, 'Prova']);
});

test('screens need menu:read to be read and menu:write to be changed', async () => {
  const token = await issueToken(service.db, service.tenantId, ['menu:read']);
  const reader = createAdminClient(service.client, token);
  const list = (await reader.get('/screens')).expect(200);
  checkAnswer('GET', '/api/v1/admin/screens', list);
  assert.equal((await reader.call('POST', '/screens', { name: 'A', code: 'BBBBBB' })).status, 403);
});

test('the panel connects a screen whose code a phone has scanned, changes it and removes it', async () => {
  const screen = createScreen();
  const code = await screen.letters();
  const page = await visitor.get(`/admin/screens?code=${code}`, { 'Accept-Language': 'en' });
  page.shows(new RegExp(`name="code" type="text" value="${code}"`));
  const wrong = await visitor.post('/admin/screens', { code: 'ZZZZZZ', name: 'Salone' });
  wrong.expect(422).shows(/value="Salone"/);
  const made = (await visitor.post('/admin/screens', { code, name: 'Salone' })).expect(303);
  const told = await visitor.get(made.headers.location ?? '', { 'Accept-Language': 'en' });
  told.shows(/The screen “Salone” is connected/);
  const path =
    /href="(\/admin\/screens\/\d+)" aria-label="Settings: Salone"/.exec(told.text)?.[1] ?? '';
  const settings = { do: 'save', name: 'Saletta', parts: '2', part: '2', orientation: 'auto' };
  await visitor.get(path);
  const refused = (await visitor.post(path, { ...settings, page_seconds: 'dodici' })).expect(422);
  refused.shows(/value="dodici"/);
  (await visitor.post(path, { ...settings, page_seconds: '12', columns: '2' })).expect(303);
  assert.match((await visitor.get(path)).text, /name="page_seconds" type="text" value="12"/);
  await visitor.post(path, { do: 'name' });
  await until('no name is shown', async () => {
    return (await screen.open('/screen/settings')).json.name_for > 0;
  });
  assert.equal((await visitor.post(path, { do: 'remove' })).status, 303);
  assert.equal((await visitor.get(path)).status, 404);
});

test('the panel has a ready address for the menu, and one for each section', async () => {
  const { text } = await visitor.get('/admin/screens', { 'Accept-Language': 'en' });
  const list = /<dl class="facts addresses">(.*?)<\/dl>/s.exec(text)?.[1] ?? '';
  const found = list.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd><a href="[^"]*\/(\?[^"]*)"/g);
  const shown = Array.from(found, ([, name, query = '']) => [name, query.replace('&amp;', '&')]);
  const sections: Row[] = (await service.client.get('/categories')).json.data;
  const wanted = sections.map(({ id, name }) => [name, `?screen=1&sections=${id}`]);
  assert.deepEqual(shown, [['The whole menu', '?screen=1'], ...wanted]);
});

test('a screen that a gateway knows opens while Postgres has nothing to say', async () => {
  const { screen } = await place('Corridoio');
  assert.equal((await screen.open('/screen/settings')).status, 200);
  await service.sql('alter table screens rename to screens_away');
  assert.equal((await screen.open('/screen/settings')).status, 200);
  await service.sql('alter table screens_away rename to screens');
});

test('a screen that a gateway could not look up is asked for again, and seen then', async () => {
  const { screen, data } = await place('Porta');
  const path = '/display/stream?screen=1&width=1920&height=1080';
  const here = async () => {
    const [row] = await service.sql('select is_here, width from screens where id = $1', [data.id]);
    return row?.is_here && row.width === 1920;
  };
  await service.sql('alter table screens rename to screens_away');
  const options = { port: service.gateway.port, host: 'osteria.localhost', path };
  const blind = await openEventStream({ ...options, cookie: screen.cookie() });
  await service.sql('alter table screens_away rename to screens');
  await blind.untilEnded();
  assert.deepEqual([blind.status, await here()], [200, false]);
  const next = await openEventStream({ ...options, cookie: screen.cookie() });
  await until('the screen is not seen', here);
  assert.equal(next.ending(), null);
  next.close();
});

test('contacts of 10,000 screens are ten statements, and one row a screen', async (t) => {
  const { tenantId } = service;
  const rows = await service.sql(
    `insert into screens (tenant_id, name, hash, last_seen_at)
     select $1, n, sha256(convert_to(n::text, 'UTF8')), '2026-01-01' from generate_series(1, 10000) n
     returning id`,
    [tenantId],
  );
  let statements = 0;
  const counted = new Proxy(service.db, {
    get: (target, name) => {
      if (name === 'run') statements += 1;
      return Reflect.get(target, name, target);
    },
  }) as Db;
  const contacts = createScreenContacts(counted, pino({ level: 'silent' }), Date.now, constants);
  const before = process.cpuUsage();
  const begun = performance.now();
  const size = { width: 1920, height: 1080 };
  // Each screen is heard of twice within the five seconds: its stream, and its page.
  for (const version of [null, 7]) {
    for (const { id } of rows) contacts.note({ tenantId, id, isHere: true, version, size });
  }
  await contacts.stop();
  const { user, system } = process.cpuUsage(before);
  t.diagnostic(
    `${statements} statements, ${Math.round((user + system) / 1_000)} ms of CPU in the gateway, ` +
      `${Math.round(performance.now() - begun)} ms until all were written`,
  );
  assert.equal(statements, 10_000 / constants.notesPerWrite);
  const [{ count }] = await service.sql(
    `select count(*)::int from screens
     where tenant_id = $1 and is_here and version = 7 and width = 1920 and last_seen_at > '2026-01-02'`,
    [tenantId],
  );
  assert.equal(count, 10_000);
});
