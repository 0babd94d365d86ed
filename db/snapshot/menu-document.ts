import { DOCUMENT_FORMAT, DOCUMENT_ORDER } from '../schema/bulk.ts';
import { type Row, toDocument } from '../schema/record.ts';
import { records, referencesFrom, SINGLETONS } from '../schema/registry.ts';
import { externalName } from '../schema/validation/external-name.ts';
import type { StoredMenu } from '../sql/menus.ts';

/** A whole menu as one document, which an import takes again (DESIGN, "Whole menus"). */
export function menuDocument(menu: StoredMenu): Row {
  const lists = menu as unknown as Record<string, readonly (Row & { id: number })[]>;
  const keys = new Map(
    DOCUMENT_ORDER.map((collection) => {
      const { table } = records[collection];
      return [table, new Map(lists[table]?.map(({ id, external_id }) => [id, external_id]))];
    }),
  );
  const document: Row = { format: DOCUMENT_FORMAT };
  for (const resource of SINGLETONS) {
    document[resource] = toDocument(records[resource], menu[resource]);
  }
  for (const collection of DOCUMENT_ORDER) {
    const record = records[collection];
    document[collection] = lists[record.table]?.map((row) => {
      const fields = toDocument(record, row);
      for (const { field, to } of referencesFrom(record)) {
        const key = keys.get(to.table)?.get(fields[field] as number);
        if (typeof key === 'string') fields[externalName(field)] = key;
      }
      return { id: row.id, ...fields };
    });
  }
  return document;
}
