// Texts beside their translations: missing ones, stale ones, pages and pasted lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import type { Response } from '../../support/http.ts';
import { formOf, hiddenField, plainText } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const PATH = '/admin/translations?to=ar';
const LANGUAGES = { supported_locales: ['it', 'en', 'ar'] as ('it' | 'en' | 'ar')[] };

const menu = [
  sectionOf('Primi', [dishOf('Gricia', { price: 11 }), dishOf('Zuppa')]),
  sectionOf('Dolci', [dishOf('Torta')]),
];
const service = await panelService([
  restaurantOf('trattoria', menu, LANGUAGES),
  restaurantOf('osteria', [], LANGUAGES),
]);
const admin = createAdminClient(service.client, await issueToken(service.db, service.tenantId));
const visitor = await signedIn(service.client);

const formAt = async (path = PATH) => formOf((await visitor.get(path)).text, 'translations');
const listed = async (query: string) =>
  (await admin.get(`/translations?locale=ar&${query}`)).json.data as Record<string, string>[];
const dishId = async (name: string): Promise<number> => {
  const { json } = await service.client.get(`/items?search=${encodeURIComponent(name)}`);
  return json.data[0].id;
};
const textKey = async (name: string) => `text.items.${await dishId(name)}.name`;

async function save(fields: Record<string, string>, path = PATH): Promise<Response> {
  return visitor.post(path, { ...(await formAt(path)), ...fields, do: 'save' });
}

async function saved(fields: Record<string, string>): Promise<string> {
  const answer = (await save(fields)).expect(303);
  return (await visitor.get(answer.headers.location ?? '')).text;
}

test('every text of the menu stands beside its translation, what is missing first', async () => {
  const body = {
    variants: [{ label: { it: 'Mezza' }, price: 6 }],
    description: { it: 'Con guanciale', ar: 'مع لحم' },
    courses: [{ label: { it: 'Antipasto' }, options: [{ label: { it: 'Olive' } }] }],
    offers: [{ label: { it: 'Pranzo' }, price: 9 }],
  };
  const gricia = await dishId('Gricia');
  assert.equal((await admin.call('PATCH', `/items/${gricia}`, body)).status, 200);
  const options = [{ label: { it: 'Pecorino' }, price: 1 }];
  const group = { name: { it: 'Aggiunte' }, options };
  assert.equal((await admin.call('POST', '/modifier-groups', group)).status, 201);
  const settings = {
    ...{ allergen_info: { it: 'Chiedete\nal personale' }, cuisine: { it: 'Romana' } },
    closures: [{ date_start: '2098-08-10', text: { it: 'Ferie' } }],
  };
  assert.equal((await admin.call('PATCH', '/settings', settings)).status, 200);
  const type = { category_id: 1, name: { it: 'Di mare' } };
  assert.equal((await admin.call('POST', '/types', type)).status, 201);
  const missing = await listed('state=missing&per_page=100');
  const paths = missing.map(({ resource, path }) => `${resource} ${path}`);
  for (const one of [
    'settings allergen_info',
    'settings cuisine',
    'settings closures.0.text',
    'categories name',
    'types name',
    'modifier_groups name',
    'modifier_groups options.0.label',
    'items name',
    'items variants.0.label',
    'items courses.0.label',
    'items courses.0.options.0.label',
    'items offers.0.label',
  ]) {
    assert.ok(paths.includes(one), one);
  }
  const [done] = await listed('state=done');
  assert.deepEqual(
    [done?.source, done?.text, done?.source_locale],
    ['Con guanciale', 'مع لحم', 'it'],
  );
  const { text } = await visitor.get(PATH);
  assert.ok(text.indexOf('>Torta<') < text.indexOf('>Con guanciale<'), 'what is done comes last');
  assert.match(text, /<textarea [^>]*lang="ar" dir="rtl"/);
  assert.match(text, /<p class="source" lang="it" dir="ltr">Romana</);
});

test('a page is saved as one version, in texts of every kind, and comes back by one button', async () => {
  const form = await formAt();
  const names = Object.keys(form).filter((name) => name.startsWith('text.'));
  assert.ok(names.length >= 14, String(names.length));
  const words = Object.fromEntries(names.map((name, at) => [name, `نص ${at}`]));
  const versions = async () => (await admin.get('/versions')).json.meta.latest as number;
  const before = await versions();
  const text = await saved(words);
  assert.match(text, /Le traduzioni sono salvate/);
  assert.equal(await versions(), before + 1);
  const after = await formAt();
  for (const [name, value] of Object.entries(words)) assert.deepEqual(after[name], [value], name);
  assert.equal((await listed('state=missing')).length, 0);
  const menu = (await service.client.get('/menu/ar')).json.data;
  assert.match(menu.settings.cuisine, /نص/);
  assert.match(menu.sections[0].items[0].variants[0].label, /نص/);
  (await visitor.get('/admin/history')).shows(/Gricia/);
  (await visitor.post('/admin/menu/undo', { change: hiddenField(text, 'change') })).expect(303);
  assert.equal((await listed('state=missing&per_page=100')).length, names.length - 1);
});

test('a name is the same in a language by one tick, unless other words stand there', async () => {
  const id = await dishId('Gricia');
  const key = `items.${id}.name`;
  await saved({ [`text.${key}`]: '' });
  const page = await visitor.get(PATH);
  page.shows(new RegExp(`name="same\\.${key.replaceAll('.', '\\.')}"`));
  page.hides(/name="same\.settings\.\d+\.allergen_info"/);
  const both = { ...(await formAt()), [`same.${key}`]: '1', [`text.${key}`]: 'جريشا' };
  const refused = (await visitor.post(PATH, { ...both, do: 'save' })).expect(422);
  refused.shows(/Uguale all’originale»: togli/, /value="1" checked/);
  await saved({ [`same.${key}`]: '1' });
  assert.equal((await admin.get(`/items/${id}`)).json.data.name_translations.ar, 'Gricia');
  assert.ok((await listed('state=done&per_page=100')).some(({ text }) => text === 'Gricia'));
});

test('a text whose source changes afterwards is to be checked until somebody looks', async () => {
  const id = await dishId('Torta');
  const key = `items.${id}.name`;
  await saved({ [`text.${key}`]: 'كعكة' });
  const change = (name: object) => admin.call('PATCH', `/items/${id}`, { name });
  assert.equal((await change({ it: 'Torta di mele', ar: 'كعكة' })).status, 200);
  const stale = async () => (await listed('state=stale')).map(({ source }) => source);
  assert.deepEqual(await stale(), ['Torta di mele']);
  const page = await visitor.get(`${PATH}&state=stale`);
  page.shows(/da rivedere: 1\./, /<span class="tag warn">Da rivedere<\/span>/);
  // Taken back by hand: the translation fits its old source.
  assert.equal((await change({ it: 'Torta', ar: 'كعكة' })).status, 200);
  assert.deepEqual(await stale(), []);
  assert.equal((await change({ it: 'Torta di pere', ar: 'كعكة' })).status, 200);
  assert.match(await saved({ [`right.${key}`]: '1' }), /Le traduzioni sono salvate/);
  assert.deepEqual(await stale(), [], 'somebody has looked');
  assert.equal((await change({ it: 'Torta di more', ar: 'كعكة' })).status, 200);
  assert.deepEqual(await stale(), ['Torta di more']);
  await saved({ [`text.${key}`]: 'كعكة التوت' });
  assert.deepEqual(await stale(), [], 'it is translated anew');
  const undone = (await admin.get('/versions')).json.data.find(
    ({ counts }: { counts: { changed: number } }) => counts.changed === 1,
  );
  assert.equal((await admin.call('POST', `/versions/${undone.version}/undo`, {})).status, 200);
});

test('what is stale is stale in an export, and after its import elsewhere', async () => {
  const id = await dishId('Zuppa');
  await saved({ [`text.items.${id}.name`]: 'حساء' });
  const body = { name: { it: 'Zuppa di pesce', ar: 'حساء' } };
  assert.equal((await admin.call('PATCH', `/items/${id}`, body)).status, 200);
  const { data } = (await admin.get('/export')).json;
  const own = data.stale_texts.find(({ text }: { text: string }) => text === 'حساء');
  assert.deepEqual(own, { locale: 'ar', source: 'Zuppa di pesce', text: 'حساء' });
  const token = await issueToken(service.db, service.tenantId + 1);
  const other = createAdminClient(service.gateway.client('osteria'), token);
  const imported = (await other.call('PUT', '/import', data)).expect(200);
  assert.deepEqual(imported.json.meta.ignored ?? [], []);
  const there = (await other.get('/translations?locale=ar&state=stale')).json.data;
  assert.ok(there.some(({ source }: { source: string }) => source === 'Zuppa di pesce'));
  for (const wrong of [[{ locale: 'xx', source: 'a', text: 'b' }], ['x'], 'x']) {
    (await other.call('PUT', '/import', { ...data, stale_texts: wrong })).expect(422);
  }
});

test('pasted lines fill the page, one for each text, and nothing is saved before somebody saves', async () => {
  const form = await formAt();
  const names = Object.keys(form).filter((name) => name.startsWith('text.'));
  const lines = names.map((_, at) => (at === 1 ? '' : `سطر ${at}`));
  const filled = await visitor.post(PATH, { ...form, pasted: lines.join('\r\n'), do: 'fill' });
  assert.equal(filled.status, 200);
  const now = formOf(filled.text, 'translations');
  assert.deepEqual(now[names[0] ?? ''], ['سطر 0']);
  assert.deepEqual(now[names[1] ?? ''], form[names[1] ?? ''], 'an empty line changes nothing');
  assert.deepEqual(await formAt().then((one) => one[names[0] ?? '']), form[names[0] ?? '']);
  const many = await visitor.post(PATH, {
    ...form,
    pasted: [...lines, 'x'].join('\n'),
    do: 'fill',
  });
  many.expect(422);
  assert.match(
    plainText(many.text),
    new RegExp(`${lines.length + 1} righe per ${lines.length} testi`),
  );
  assert.equal((await visitor.post(PATH, { ...now, do: 'save' })).status, 303);
  assert.deepEqual((await formAt())[names[0] ?? ''], ['سطر 0']);
});

test('a text that somebody else has changed is not overwritten, and a long one is refused with words', async () => {
  const key = await textKey('Gricia');
  const form = await formAt();
  const id = await dishId('Gricia');
  const body = { name: { it: 'Gricia', ar: 'غريتشا' } };
  assert.equal((await admin.call('PATCH', `/items/${id}`, body)).status, 200);
  const late = (await visitor.post(PATH, { ...form, [key]: 'آخر', do: 'save' })).expect(409);
  late.shows(/Qualcuno ha cambiato questo testo/);
  assert.deepEqual(formOf(late.text, 'translations')[key], ['آخر'], 'what was typed stays');
  (await save({ [key]: 'ط'.repeat(500) })).expect(422).shows(/Al massimo 200 caratteri/);
  (await visitor.post(PATH, { ...(await formAt()), form_token: 'x', do: 'save' })).expect(403);
  const twice = { ...(await formAt()), [key]: 'مرتين', do: 'save' };
  assert.equal((await visitor.post(PATH, twice)).status, 303);
});

test('texts that have no Italian are translated into it', async () => {
  const id = await dishId('Gricia');
  const body = { description: { it: null, en: 'With pork cheek' } };
  assert.equal((await admin.call('PATCH', `/items/${id}`, body)).status, 200);
  const { json } = await admin.get('/translations?locale=it&state=missing');
  assert.deepEqual(
    json.data.map(({ source, source_locale }: Record<string, string>) => [source, source_locale]),
    [['With pork cheek', 'en']],
  );
  (await admin.get('/translations?locale=xx')).expect(422);
});
