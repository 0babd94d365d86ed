import { localize } from '../../../db/schema/locale.ts';
import { type Collection, referencesFrom } from '../../../db/schema/registry.ts';
import { listRecords } from '../../../db/sql/menu/find-records.ts';
import { listSections } from '../../../db/sql/panel/list-sections.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { sectionTree } from '../menu/section-tree.ts';
import { editorTexts } from '../texts/editor.ts';
import type { Editor } from './editor.ts';
import { recordName } from './record-name.ts';

/** More of a kind than any menu has. */
const MOST = 2_000;
const INDENT = '\u2003';

async function sectionOptions({ db, visit }: Desk): Promise<Option[]> {
  const { language } = visit.texts;
  const sections = await listSections(db, visit.tenantId);
  return sectionTree(sections).map(({ section: { id, name_translations }, depth }) => ({
    value: String(id),
    label: INDENT.repeat(depth) + localize(name_translations, language, language),
  }));
}

async function recordOptions({ db, visit }: Desk, collection: Collection): Promise<Option[]> {
  const options = { categoryId: undefined, deleted: false, page: 1, perPage: MOST };
  const { records } = await listRecords(db, collection, visit.tenantId, options);
  return records.map(({ id, data }) => ({
    value: String(id),
    label: recordName(data, visit.texts.language),
  }));
}

/** The records that the references of a record may name, by field. */
export async function referenceOptions(
  desk: Desk,
  { record }: Editor,
): Promise<Record<string, Option[]>> {
  const { say } = desk.visit;
  const options: Record<string, Option[]> = {};
  for (const { field, to, isNullable } of referencesFrom(record)) {
    const found =
      to.resource === 'categories'
        ? await sectionOptions(desk)
        : await recordOptions(desk, to.resource as Collection);
    const none = field === 'parent_id' ? editorTexts.top : editorTexts.none;
    options[field] = isNullable ? [{ value: '', label: say(none) }, ...found] : found;
  }
  return options;
}
