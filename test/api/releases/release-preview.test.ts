// The preview of a release: for people of the panel, and for everybody with its secret link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { adminService } from '../../support/admin.ts';
import { section } from '../../support/bulk-operations.ts';
import { databaseLink } from '../../support/database-link.ts';
import { startTestGateway, testGateway } from '../../support/gateway.ts';
import { addUser, createVisitor, signedIn } from '../../support/panel.ts';

const QUICK = { clockInterval: 20, maxPreviewsPerMinute: 1_000 };
const service = await adminService({ constants: QUICK });
await addUser(service.db, service.tenantId);
const operations = [
  section('natale', { name: { it: 'Menù di Natale', en: 'Christmas menu' }, display_order: 0 }),
  // A record without a key of its own.
  {
    ...{ resource: 'items', action: 'create' },
    data: { category_external_id: 'natale', name: { it: 'Cappone', en: 'Capon' }, price: 20 },
  },
  { resource: 'theme', action: 'update', data: { background_color: '#012345' } },
];
const body = { name: 'Natale', operations, starts_at: '2198-12-24T18:00:00Z' };
const made = (await service.admin.call('POST', '/releases', body)).expect(201);
const id = made.json.data.id;

const show = async () => (await service.admin.get(`/releases/${id}`)).json.data;
const pathOf = async () => new URL((await show()).preview_url).pathname;
const read = (path: string) => service.client.send(path, {});

test('the link shows the menu as guests will see it, and no public answer has a byte of it', async () => {
  const preview = (await read(await pathOf())).expect(200);
  preview.shows(/Menù di Natale[\s\S]*Cappone[\s\S]*Olive/);
  preview.shows(/<aside class="previewing">Anteprima: Natale\./);
  preview.shows(/<style id="theme">[\s\S]*#012345/i, /<html[^>]* data-preview/);
  const { headers } = preview;
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy']],
    ['no-store', 'no-referrer'],
  );
  assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
  assert.match(headers['content-security-policy'] ?? '', /connect-src 'none'/);
  preview.hides(/rel="canonical"|hreflang="x-default"|og:/);
  for (const path of ['/', '/api/v1/menu', '/api/v1/items', '/api/v1/theme', '/sitemap.xml']) {
    assert.doesNotMatch((await read(path)).text, /Cappone|Natale|#012345/i, path);
  }
});

test('a preview is read in each language, and its languages lead to itself', async () => {
  const path = await pathOf();
  const english = await read(`${path}?lang=en`);
  english.shows(/<html lang="en"[\s\S]*Preview: Natale[\s\S]*Christmas menu[\s\S]*Capon/);
  english.shows(/href="\?lang=it"/).hides(/href="\/\?lang=/);
});

test('a preview follows the menu and the release', async () => {
  const path = await pathOf();
  const items = (await service.admin.get('/items?per_page=100')).json.data;
  const olives = items.find(({ name }: { name: string }) => name === 'Olive').id;
  await service.admin.call('PATCH', `/items/${olives}`, { name: { it: 'Olive ascolane' } });
  (await read(path)).shows(/Olive ascolane/);
  const { operations } = await show();
  operations[1].data.name = { it: 'Faraona' };
  await service.admin.call('PUT', `/releases/${id}`, { operations });
  (await read(path)).shows(/Faraona/).hides(/Cappone/);
});

test('people of the panel see it without a link, strangers with one alone', async () => {
  const visitor = await signedIn(service.client);
  (await visitor.get(`/admin/releases/${id}/preview?screen=1`)).expect(200).shows(/Faraona/);
  const stranger = createVisitor(service.client);
  assert.equal((await stranger.get(`/admin/releases/${id}/preview`)).status, 303);
  assert.equal((await visitor.get('/admin/releases/999/preview')).status, 404);
  const path = await pathOf();
  await service.admin.call('PUT', `/releases/${id}`, { is_preview_open: false });
  for (const gone of [path, '/preview/x', '/preview/%00', `/preview/${'a'.repeat(43)}`]) {
    assert.equal((await read(gone)).status, 404, gone);
  }
});

test('a stranger who guesses links uses up no preview of those who have one', async () => {
  await service.admin.call('PUT', `/releases/${id}`, { is_preview_open: true });
  const { maxPreviewsPerMinute } = constants;
  const gateway = await startTestGateway(service.databaseUrl);
  const client = gateway.client('osteria');
  for (let n = 0; n <= maxPreviewsPerMinute; n += 1) {
    assert.equal((await client.send(`/preview/${n}`)).status, 404);
  }
  const path = await pathOf();
  for (let n = 0; n < maxPreviewsPerMinute; n += 1) {
    assert.equal((await client.send(path)).status, 200);
  }
  assert.equal((await client.send(path)).status, 429);
  await gateway.stop();
});

test('a preview answers 503 while Postgres is away', async () => {
  const link = await databaseLink(service.databaseUrl);
  const gateway = await testGateway(link.url, {}, { retryDelay: 50 });
  const client = gateway.client('osteria');
  const path = await pathOf();
  assert.equal((await client.send(path)).status, 200);
  link.cut();
  assert.ok(Number((await client.send(path)).expect(503).headers['retry-after']) > 0);
  link.thaw();
});

test('a published release has no preview any more', async () => {
  await service.admin.call('PUT', `/releases/${id}`, { is_preview_open: true });
  const path = await pathOf();
  (await service.admin.call('POST', `/releases/${id}/publish`)).expect(200);
  assert.equal((await read(path)).status, 404);
});
