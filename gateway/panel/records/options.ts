import { localize } from '../../../db/schema/locale.ts';
import { referencesFrom } from '../../../db/schema/registry.ts';
import { listNamed, type Named } from '../../../db/sql/panel/list-named.ts';
import { listSections } from '../../../db/sql/panel/list-sections.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { sectionTree } from '../menu/section-tree.ts';
import { editorTexts } from '../texts/editor.ts';
import type { Editor } from './editor.ts';
import { nameIn } from './record-name.ts';

const INDENT = '\u2003';

async function sectionOptions({ db, request }: Desk): Promise<Option[]> {
  const { language } = request.texts;
  const sections = await listSections(db, request.tenantId);
  return sectionTree(sections).map(({ section: { id, name_translations }, depth }) => ({
    value: String(id),
    label: INDENT.repeat(depth) + localize(name_translations, language, language),
  }));
}

async function recordOptions({ db, request }: Desk, collection: Named): Promise<Option[]> {
  const found = await listNamed(db, collection, request.tenantId);
  return found.map(({ id, name }) => ({
    value: String(id),
    label: nameIn(name, request.texts.language),
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
        ? await sectionOptions(desk)
        : await recordOptions(desk, to.resource as Named);
    const none = field === 'parent_id' ? editorTexts.top : editorTexts.none;
    options[field] = isNullable ? [{ value: '', label: say(none) }, ...found] : found;
  }
  return options;
}
