import { parentsFirst } from '../runtime/parents-first.ts';
import type { RecordType } from '../schema/record.ts';
import { referencesFrom } from '../schema/registry.ts';
import type { MenuRow } from '../sql/menus.ts';

/** The rows of a list, each after the one of its kind in which it stands. */
export function outerFirst(record: RecordType, rows: readonly MenuRow[]): readonly MenuRow[] {
  const { parent = '' } = record;
  const isNested = referencesFrom(record).some(
    ({ field, to }) => field === parent && to === record,
  );
  if (!isNested) return rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return parentsFirst(rows, (row) => byId.get(Number(row[parent])));
}
