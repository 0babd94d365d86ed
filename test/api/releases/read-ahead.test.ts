// Workers read menus that change on their own before the moment comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKnownMenus } from '../../../db/menu/working-menu.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { readDueSoon } from '../../../workers/turns/read-menu.ts';
import { adminService } from '../../support/admin.ts';

const { db, sql, tenantId, admin } = await adminService();
const menus = createKnownMenus();
const read = () => readDueSoon(db, menus, () => true, { dueSoon: 30_000, menusAhead: 10 });
const changeIn = (seconds: number) =>
  sql(`update tenants set next_change_at = now() + $1 * interval '1 s' where id = $2`, [
    seconds,
    tenantId,
  ]);

test('a worker knows the menu of a restaurant that changes soon, and of no other', async () => {
  await changeIn(3_600);
  await read();
  assert.equal(menus.size, 0);
  await changeIn(20);
  await read();
  assert.deepEqual(menus.get(tenantId)?.menu, await loadMenu(db, tenantId));
});

test('a menu that was read ahead is read again after a write', async () => {
  const [item] = (await admin.get('/items')).json.data;
  await admin.call('PUT', `/items/${item.id}`, { price: 73 });
  await changeIn(20);
  await read();
  const dish = menus.get(tenantId)?.menu.dishes.find(({ id }) => id === item.id);
  assert.equal(dish?.price, 73);
});
