import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LARGE_MENU, largeMenu } from '../../../bench/load/whole-menus.ts';
import { hasRoomFor } from '../../../db/menu/menu-size.ts';
import { newRow } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../../../db/sql/menus.ts';

const { items } = largeMenu(1) as { items: Row[] };
const rowOf = (sent: Row, id: number) => ({ ...newRow(records.items, sent, sent), id }) as MenuRow;

function menuOf(dishes: readonly MenuRow[]): StoredMenu {
  const others = { sections: [], types: [], wineries: [], modifier_groups: [] };
  return { ...others, dishes } as unknown as StoredMenu;
}

test('a menu has room for 4,000 dishes in five languages, whatever fields there are', () => {
  const dishes = items.map(rowOf);
  assert.equal(dishes.length, LARGE_MENU.dishes);
  assert.ok(hasRoomFor(menuOf(dishes), items[0] as Row));
  const later = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`later_${at}`, null]));
  assert.ok(hasRoomFor(menuOf(dishes.map((dish) => ({ ...later, ...dish }))), items[0] as Row));
});

test('a menu has no room for many more dishes, also when they have little but a name', () => {
  const dishes = Array.from({ length: 10_000 }, (_, at) => rowOf({ name: { it: 'Pane' } }, at));
  assert.equal(hasRoomFor(menuOf(dishes), { name: { it: 'Pane' } }), false);
});
