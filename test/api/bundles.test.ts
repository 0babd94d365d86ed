// Menus for screens without network, over real HTTP.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkBundle } from '../../db/bundle/check-file.ts';
import { placeScreen, saveScreenCode } from '../../db/sql/screens.ts';
import { issueToken } from '../support/admin.ts';
import { downloadBundle } from '../support/bundle.ts';
import { callCli } from '../support/cli.ts';
import { photoService } from '../support/photo-service.ts';
import { picture } from '../support/pictures.ts';

const MOST = 5_000_000;

const service = await photoService();

const { db, tenantId } = service;
await saveScreenCode(db, tenantId, { hash: Buffer.alloc(32, 7), client: '1' }, 'BCDFGH');
const placed = await placeScreen(db, tenantId, 'BCDFGH', 'Sala');
const screen = placed?.id ?? 0;
const { id: photo_id } = await service.uploaded(await picture({ width: 1_600, height: 900 }));
const [dish] = (await service.admin.get('/items?per_page=1')).json.data;
await service.admin.call('PATCH', `/items/${dish.id}`, { photo_id });

const download = (form: 'html' | 'lavagna') =>
  downloadBundle(service.client, service.token, screen, form);

const callKey = (...args: string[]) =>
  callCli(['bundle', 'key', 'osteria', ...args], { DATABASE_URL: service.databaseUrl });
async function keys(): Promise<{ key: { text: string }; next: { text: string } | null }> {
  return JSON.parse((await callKey()).stdout);
}

describe('GET /admin/screens/{id}/bundle', () => {
  test('gives one file with photos, styles and a script without modules, and no way to a server', async () => {
    const { bytes, headers } = await download('html');
    assert.ok(bytes.length < MOST, `${bytes.length} bytes`);
    assert.match(headers['content-disposition'] ?? '', /attachment; filename="osteria-\d+\.html"/);
    const text = bytes.toString();
    assert.match(text, /Gnocchi/);
    assert.match(text, /src="data:image\/jpeg;base64,/);
    assert.match(text, /<style id="theme">/);
    assert.doesNotMatch(text, /<script[^>]* src=|type="module"|<link /);
    assert.doesNotMatch(text, / (?:src|srcset)="(?:\/|https?:)/);
    assert.doesNotMatch(text, /url\('?\//);
  });

  test('gives a signed file that the key of the restaurant opens, and that has all it names', async () => {
    const { bytes } = await download('lavagna');
    assert.ok(bytes.length < MOST, `${bytes.length} bytes`);
    const { key } = await keys();
    const { manifest, files } = await checkBundle(bytes, { keys: [key.text] });
    const { format, restaurant, screen: named } = manifest;
    assert.deepEqual([format, restaurant, named], [1, 'osteria', screen]);
    const page = Buffer.from(files['screen/it.html'] ?? '').toString();
    const links = page.matchAll(/ (?:src|href)="\/((?:display|media)\/[^"?]+)"/g);
    const paths = Array.from(links, ([, path = '']) => path);
    const missing = paths.filter((path) => !/icon/.test(path) && !files[path]);
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(files).some((path) => path.startsWith('media/')));
  });

  test('names records that appear later, and when dishes are on sale again', async () => {
    const [section] = (await service.admin.get('/categories')).json.data;
    const from = new Date(Date.now() + 3_600_000).toISOString();
    const later = { category_id: section.id, name: { it: 'Tartufo' }, visible_from: from };
    const { id } = (await service.admin.call('POST', '/items', later)).json.data;
    const gone = { category_id: section.id, name: { it: 'Cinghiale' }, visible_until: from };
    await service.admin.call('POST', '/items', gone);
    const text = (await download('html')).bytes.toString();
    assert.match(text, /Tartufo/);
    const [, json = ''] = /id="texts">([^<]*)</.exec(text) ?? [];
    const { carried } = JSON.parse(json);
    assert.equal(carried.moments.dishes[id][1], null);
    assert.ok(Date.parse(carried.expires_at) > Date.parse(carried.made_at));
  });

  test('is for tokens that read the menu, and for screens that are there', async () => {
    const path = `/api/v1/admin/screens/${screen}/bundle`;
    const token = await issueToken(service.db, service.tenantId, ['availability:write']);
    const other = { headers: { Authorization: `Bearer ${token}` } };
    assert.equal((await service.client.send(path, other)).status, 403);
    assert.equal((await service.client.send(path)).status, 401);
    assert.equal((await service.admin.get('/screens/999999/bundle')).status, 404);
    assert.equal((await service.admin.get(`/screens/${screen}/bundle?as=pdf`)).status, 422);
  });

  test('names the next key once it is announced, and is signed by it once it is changed', async () => {
    const before = await keys();
    assert.equal(before.next, null);
    assert.equal((await callKey('--change')).code, 1);
    await callKey('--announce');
    const { bytes } = await download('lavagna');
    const { manifest } = await checkBundle(bytes, { keys: [before.key.text] });
    const { next } = await keys();
    assert.ok(next);
    assert.equal(manifest.next_key, next.text);
    await callKey('--change');
    await checkBundle((await download('lavagna')).bytes, { keys: [next.text] });
  });
});
