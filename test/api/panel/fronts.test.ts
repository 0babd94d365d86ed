// Pages that show no menu need none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { restaurantOf } from '../../support/restaurant.ts';

const service = await menuService([restaurantOf('osteria', [], { name: 'Osteria Bella' })], {
  alone: true,
});

async function loadedSnapshots(): Promise<number> {
  const { text } = await createClient(service.gateway.opsPort, 'localhost').send('/metrics');
  return Number(/^lavagna_snapshots (\d+)$/m.exec(text)?.[1]);
}

test('the sign-in page and its files show name and theme and load no menu', async () => {
  (await service.client.send('/admin/sign-in')).expect(200).shows(/Osteria Bella/);
  for (const path of ['/admin/theme.css', '/admin/icon.svg', '/admin/panel.css']) {
    assert.equal((await service.client.send(path)).status, 200, path);
  }
  assert.equal(await loadedSnapshots(), 0);
});

test('they are the same when the menu is in memory', async () => {
  const before = await service.client.send('/admin/theme.css');
  assert.equal((await service.client.get('/menu')).status, 200);
  assert.equal(await loadedSnapshots(), 1);
  const after = await service.client.send('/admin/theme.css');
  assert.deepEqual([after.status, after.text], [200, before.text]);
});

test('script and stylesheets of all pages take less than 22 KB, compressed', async (t) => {
  const names = ['panel.js', 'panel.css', 'sign-in.css', 'desk.css', 'theme.css'];
  const sizes = await Promise.all(
    names.map(async (name) => {
      const file = await service.client.send(`/admin/${name}`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      return file.body.length;
    }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${names.map((name, at) => `${name} ${sizes[at]}`).join(', ')}: ${total} bytes`);
  assert.ok(total < 22_000, `${total} bytes`);
});

test('a host that is no restaurant gets the branded page, a wrong method 405', async () => {
  const stranger = (await service.gateway.client('nessuno').send('/admin/sign-in')).expect(404);
  assert.match(stranger.headers['content-type'] ?? '', /^text\/html/);
  assert.equal((await service.client.send('/admin/sign-in', { method: 'PUT' })).status, 405);
});

test('while the menu is rebuilt in another format, the page is unavailable', async () => {
  const { gateway } = service;
  await service.sql('update snapshots set format = format + 1');
  await service.sql(`update tenants set slug = 'locanda'`);
  (await gateway.client('locanda').send('/admin/sign-in')).expect(503);
});
