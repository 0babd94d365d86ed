// Workers read menus that change on their own before the moment comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LRUCache } from 'lru-cache';
import { createKnownMenus, type KnownMenus } from '../../../db/menu/working-menu.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { readDueSoon } from '../../../workers/turns/read-menu.ts';
import { adminService, smallRestaurant } from '../../support/admin.ts';
import { plant } from '../../support/restaurant.ts';

const { db, sql, tenantId, admin } = await adminService();
const menus = createKnownMenus();
const read = () => readDueSoon(db, menus, () => true, { dueSoon: 30_000, menusAhead: 10 });
const changeIn = (seconds: number, id = tenantId) =>
  sql`update tenants set next_change_at = now() + ${seconds} * interval '1 s' where id = ${id}`;

test('a worker knows the menu of a restaurant that changes soon, and of no other', async () => {
  await changeIn(3_600);
  await read();
  assert.equal(menus.size, 0);
  await changeIn(20);
  await read();
  assert.deepEqual(menus.get(tenantId)?.menu, await loadMenu(db, tenantId));
});

test('menus that are read ahead leave room for those of writes', async () => {
  const other = await plant(db, { ...smallRestaurant, slug: 'trattoria' });
  await changeIn(20);
  await changeIn(21, other);
  const tight: KnownMenus = new LRUCache({ maxSize: 4, sizeCalculation: () => 3 });
  await readDueSoon(db, tight, () => true, { dueSoon: 30_000, menusAhead: 10 });
  assert.deepEqual([...tight.keys()], [tenantId]);
});

test('a menu that was read ahead is read again after a write', async () => {
  const [item] = (await admin.get('/items')).json.data;
  await admin.call('PUT', `/items/${item.id}`, { price: 73 });
  await changeIn(20);
  await read();
  assert.equal(menus.get(tenantId)?.menu.dishes.find(({ id }) => id === item.id)?.price, 73);
});
