// The language that names must have changes only when all names have it: so an export can be imported.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { each } from '../../support/each.ts';
import { fallBackTo, nameOperations } from '../../support/fallback-language.ts';
import { fileFolder } from '../../support/folder.ts';
import { formOf } from '../../support/page-forms.ts';
import { addUser, signedIn } from '../../support/panel.ts';

const service = await adminService();

const { call } = service.admin;

async function done(method: string, path: string, body?: unknown) {
  const reply = await call(method, path, body);
  assert.ok(reply.status < 300, reply.text);
  return reply.status === 204 ? {} : reply.json.data;
}

const NAMES = 'Antipasti, Fritti, Primi, Vini, Olive';
const SENTENCE = `Fallback locale richiede un nome in questa lingua, che manca a 11 voci: ${NAMES}.`;
const latest = async () => (await service.admin.get('/versions')).json.meta.latest;

test('a fallback language that names lack is refused by every door, which names the records', async () => {
  const version = await latest();
  for (const method of ['PUT', 'PATCH']) {
    const { json } = (await call(method, '/settings', { fallback_locale: 'el' })).expect(422);
    assert.deepEqual(json.errors, { fallback_locale: [SENTENCE] });
    assert.deepEqual(json.codes.fallback_locale, [{ rule: 'namesLack', n: 11, names: NAMES }]);
  }
  const data = { fallback_locale: 'el' };
  const operations = [{ resource: 'settings', action: 'update', data }];
  const documents: [method: string, path: string, body: object][] = [
    ['POST', '/bulk', { operations }],
    ['POST', '/bulk', { operations, dry_run: true }],
    ['POST', '/bulk', { operations, on_error: 'skip_failed' }],
    ['PUT', '/import', { format: 'lavagna-menu/1', settings: data }],
    ['PUT', '/import?dry_run=1', { format: 'lavagna-menu/1', settings: data }],
  ];
  for (const [method, path, body] of documents) {
    const { json } = (await call(method, path, body)).refuses('settings.fallback_locale');
    assert.equal(json.codes['settings.fallback_locale'][0].names, NAMES);
  }
  const { id } = await done('POST', '/releases', { name: 'Greco', operations });
  for (const way of ['check', 'publish']) {
    (await call('POST', `/releases/${id}/${way}`)).refuses('settings.fallback_locale');
  }
  await done('DELETE', `/releases/${id}`);
  assert.equal(await latest(), version);
});

test('the form of the panel refuses it in words, and keeps what was chosen', async () => {
  await addUser(service.db, service.tenantId);
  const visitor = await signedIn(service.client);
  const form = formOf((await visitor.get('/admin/restaurant')).text);
  const sent = { ...form, fallback_locale: 'el', do: 'save' };
  const refused = (await visitor.post('/admin/restaurant', sent)).expect(422);
  assert.ok(refused.text.includes(`ne mancano 11: ${NAMES}. Prima traduci quei nomi.`));
  assert.deepEqual(formOf(refused.text).fallback_locale, ['el']);
});

test('the command `menu import` says it', async () => {
  const path = join(await fileFolder(), 'menu.json');
  const document = { format: 'lavagna-menu/1', settings: { fallback_locale: 'el' } };
  await writeFile(path, JSON.stringify(document));
  const args = ['menu', 'import', 'osteria', path];
  const { stdout } = (await callCli(args, { DATABASE_URL: service.databaseUrl })).ends(1);
  assert.ok(stdout.includes(NAMES), stdout);
});

test('with all names translated it changes, an export is imported, and nothing brings a name without it', async () => {
  const dish = await done('POST', '/items', { category_id: 1, name: { it: 'Frico' } });
  await done('DELETE', `/items/${dish.id}`);
  await fallBackTo(service, 'el', { supported_locales: ['it', 'el'] });
  const changed = await latest();
  const { data: document } = (await service.admin.get('/export')).json;
  const reply = await done('PUT', '/import?delete_missing=all', document);
  assert.deepEqual([reply.counts.updated, reply.counts.failed, await latest()], [0, 0, changed]);
  const back = await call('POST', `/items/${dish.id}/restore`);
  assert.deepEqual(back.json.errors, { 'name.el': ['Il campo name.el è richiesto.'] });
  const { id } = await done('POST', '/items', { category_id: 1, name: { el: 'Σούπα' } });
  const undone = await call('POST', `/versions/${changed}/undo`, {});
  undone.refuses('settings.fallback_locale');
  assert.equal(undone.json.codes['settings.fallback_locale'][0].names, 'Σούπα');
  await done('DELETE', `/items/${id}`);
  assert.equal((await done('POST', `/versions/${changed}/undo`, {})).applied, true);
});

test('the end of a release leaves a fallback language that names lack by then, and says so', async () => {
  const data = { fallback_locale: 'el', supported_locales: ['it', 'el'] };
  const operations = [
    ...(await nameOperations(service, 'el')),
    { resource: 'settings', action: 'update', data },
  ];
  const release = { name: 'Greco', operations, ends_at: '2198-12-24T18:00:00Z' };
  const { id } = await done('POST', '/releases', release);
  await done('POST', `/releases/${id}/publish`);
  await done('POST', '/items', { category_id: 1, name: { el: 'Σούπα' } });
  await done('POST', `/releases/${id}/end`);
  const { state, problems } = await done('GET', `/releases/${id}`);
  assert.equal(state, 'ended');
  assert.deepEqual(each(problems, 'errors').map(Object.keys), [['settings.fallback_locale']]);
  const { fallback_locale, supported_locales } = await done('GET', '/settings');
  assert.equal(fallback_locale, 'el');
  assert.ok(!supported_locales.includes('el'), 'what fits goes back');
});
