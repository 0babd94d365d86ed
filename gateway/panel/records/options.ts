import { referencesFrom } from '../../../db/schema/registry.ts';
import { listNamed, type Named } from '../../../db/sql/listed-records.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { readSections, sectionOptions } from '../menu/section-tree.ts';
import type { Editor } from './editor.ts';
import { nameIn } from './record-name.ts';

async function recordOptions({ db, request }: Desk, collection: Named): Promise<Option[]> {
  const found = await listNamed(db, collection, request.tenantId);
  return found.map(({ id, name }) => ({
    value: String(id),
    label: nameIn(name, request.language),
  }));
}

/** The records that the references of a record may name, by field. */
export async function referenceOptions(
  desk: Desk,
  { record }: Editor,
): Promise<Record<string, Option[]>> {
  const { say } = desk.request;
  const options: Record<string, Option[]> = {};
  for (const { field, to, isNullable } of referencesFrom(record)) {
    const found =
      to.resource === 'categories'
        ? sectionOptions(desk, await readSections(desk))
        : await recordOptions(desk, to.resource as Named);
    const none = field === 'parent_id' ? 'editor.top' : 'editor.none';
    options[field] = isNullable ? [{ value: '', label: say(none) }, ...found] : found;
  }
  return options;
}
