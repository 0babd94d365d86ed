// A worker changes the menus in its memory, or reads them first: they must stay what the tables hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { assembleInSteps } from '../../../db/snapshot/assemble.ts';
import { headIn } from '../../../db/snapshot/parts.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { adminService } from '../../support/admin.ts';
import { buildMenu } from '../../support/build-menu.ts';

const service = await adminService();
/** Whether the worker has the menu in its memory before each write. */
let isKnown = true;

/** The menu that would be served of the tables if they were read now. */
async function present() {
  const { head, sections } = buildMenu(await loadMenu(service.db, service.tenantId), new Date());
  const templates = new Map([...sections].map(([id, { template }]) => [id, template]));
  const snapshot = inOneGo(assembleInSteps(headIn(head, 'it'), templates));
  const bodies = [snapshot.body('menu'), snapshot.body('categories')];
  return bodies.map((body) => JSON.parse(`${body?.identity}`).data);
}

async function served() {
  const replies = [await service.client.get('/menu'), await service.client.get('/categories')];
  return replies.map(({ json }) => json.data);
}

/** Lets the worker read the menu anew: another transaction has written the tenant's row. */
async function forget(): Promise<void> {
  await service.sql('update tenants set slug = slug where id = $1', [service.tenantId]);
}

async function write(method: string, path: string, body?: unknown): Promise<number> {
  if (!isKnown) await forget();
  const reply = await service.admin.call(method, path, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  assert.deepEqual(await served(), await present(), `after ${method} ${path}`);
  return reply.status === 204 ? 0 : reply.json.data.id;
}

const name = (it: string) => ({ name: { it } });

for (const known of [true, false]) {
  const kind = known ? 'a known menu' : 'one that is read';
  test(`after each write the menu is as if it had been read anew, of ${kind}`, async () => {
    isKnown = known;
    await writeAll();
  });
}

async function writeAll(): Promise<void> {
  const section = await write('POST', '/categories', name('Dolci'));
  const other = await write('POST', '/categories', { ...name('Caffè'), display_order: 0 });
  const place = { category_id: section, display_order: 1 };
  const [first, second, third] = [
    await write('POST', '/items', { ...place, ...name('Presnitz') }),
    await write('POST', '/items', { ...place, ...name('Putizza') }),
    await write('POST', '/items', { ...place, ...name('Pinza') }),
  ];
  const type = await write('POST', '/types', { ...place, ...name('Al forno') });
  await write('POST', '/types', { ...place, ...name('Freddi'), display_order: 0 });
  const winery = await write('POST', '/wineries', { name: 'Kante' });
  await write('PUT', `/items/${third}`, { display_order: 0, type_id: type, winery_id: winery });
  await write('PUT', `/items/${second}`, { display_order: 7 });
  await write('PUT', `/items/${first}`, { display_order: 7, is_recommended: true });
  await write('PUT', `/types/${type}`, { display_order: 0 });
  await write('PUT', `/categories/${other}`, { display_order: 9, parent_id: section });
  await write('PUT', `/wineries/${winery}`, { name: 'Škerk' });
  await write('PUT', `/items/${second}`, { category_id: other, display_order: 0 });
  await write('PUT', '/settings', { phone: '040 1' });
  await write('PUT', '/theme', { footer_text: 'Grazie' });
  await write('DELETE', `/items/${first}`);
  await write('PUT', `/items/${third}`, { price: 3 });
  await write('POST', `/items/${first}/restore`);
  await write('DELETE', `/wineries/${winery}`);
  await write('PUT', `/items/${third}`, { price: 4 });
  await write('DELETE', `/categories/${section}`);
  await write('POST', `/categories/${section}/restore`);
}

test('what another worker has written meanwhile is kept', async () => {
  await write('PUT', '/theme', { footer_text: 'Prima' });
  const [{ id }] = await service.sql(
    `with bumped as (
       update tenants set version = version + 1 where id = $1 returning id, version
     ), entered as (
       insert into versions (tenant_id, version, actor_kind, origin)
       select id, version, 'operator', 'cli' from bumped
     )
     update dishes set price = 77 where tenant_id = $1
       and id = (select min(id) from dishes where tenant_id = $1) returning id`,
    [service.tenantId],
  );
  await write('PUT', '/theme', { footer_text: 'Dopo' });
  assert.equal((await service.client.get(`/items/${id}`)).json.data.price, 77);
});
