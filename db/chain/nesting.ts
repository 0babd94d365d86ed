import { groupBy } from '../runtime/group-by.ts';
import type { RecordType } from '../schema/record.ts';
import { referencesFrom } from '../schema/registry.ts';
import type { Row } from '../schema/values/row.ts';
import type { MenuRow } from '../sql/menus.ts';

/** The rows of a list, each after the one of its kind in which it stands. */
export function parentsFirst(record: RecordType, rows: readonly MenuRow[]): MenuRow[] {
  const { parent } = record;
  const isNested = referencesFrom(record).some(
    ({ field, to }) => field === parent && to === record,
  );
  if (!isNested || parent === undefined) return [...rows];
  const below = groupBy(rows, (row) => (row as Row)[parent] ?? null);
  const order: MenuRow[] = [];
  for (let level = below.get(null) ?? []; level.length > 0; ) {
    order.push(...level);
    level = level.flatMap(({ id }) => below.get(id) ?? []);
  }
  return order;
}
