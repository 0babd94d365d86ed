import { certain } from '../../../db/runtime/certain.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { records, referencesFrom } from '../../../db/schema/registry.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { isCollection, type Resource } from '../../../db/schema/values/resource.ts';
import {
  listNamed,
  listPlainDishes,
  type NamedCollection,
} from '../../../db/sql/listed-records.ts';
import { listPhotos } from '../../../db/sql/photos.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { type Content, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type FormDraft, one } from '../forms/draft.ts';
import { languageOptions, type Option, select } from '../forms/inputs.ts';
import type { Place } from '../navigation.ts';
import type { PageState } from '../pages/page.ts';
import { nameIn } from '../texts/choose.ts';
import { readSections, sectionOptions } from '../writes/move.ts';
import { plannedOptions } from '../writes/planned-values.ts';
import { findDishes, namesDishes, tellApart } from './dish-names.ts';

/** A record's page: where it is, and where it leads. */
export interface Editor {
  resource: Resource;
  record: RecordType;
  /** Path of the page; `:id` is the record, or `new`. */
  path: string;
  place: Place;
  /** The title of the page for a new one. */
  newTitle?: TextKey;
  /** The list of its records, where that is not the menu itself. */
  list?: {
    path: string;
    resource: NamedCollection;
    title: TextKey;
    /** The purpose of these records. */
    hint: TextKey;
  };
}

const editor = (
  resource: Resource,
  place: Place,
  path: string,
  more: Pick<Editor, 'newTitle' | 'list'> = {},
): Editor => ({ resource, record: records[resource], path, place, ...more });

/** The page of records that have a list of their own. */
function listedEditor(
  resource: NamedCollection,
  path: string,
  newTitle: TextKey,
  title: 'lists.types' | 'lists.wineries' | 'lists.modifierGroups',
): Editor {
  const list = { path, resource, title, hint: `${title}Hint` } as const;
  return editor(resource, 'menu', `${path}/:id`, { newTitle, list });
}

/** The pages of all kinds of records. */
export const EDITORS: readonly Editor[] = [
  editor('items', 'menu', '/admin/menu/items/:id', { newTitle: 'menu.newDish' }),
  editor('categories', 'menu', '/admin/menu/sections/:id', { newTitle: 'menu.newSection' }),
  listedEditor('types', '/admin/menu/types', 'lists.newType', 'lists.types'),
  listedEditor('wineries', '/admin/menu/wineries', 'lists.newWinery', 'lists.wineries'),
  listedEditor(
    'modifier_groups',
    '/admin/menu/modifier-groups',
    'lists.newModifierGroup',
    'lists.modifierGroups',
  ),
  editor('photos', 'photos', '/admin/photos/:id'),
  editor('settings', 'restaurant', '/admin/restaurant'),
  editor('theme', 'appearance', '/admin/appearance'),
];

/** The path of a record's page. @param planned the external id of one that a release makes */
export function editorPath(editor: Editor, id: number | null, planned?: string): string {
  const path = editor.path.replace(':id', id === null ? 'new' : String(id));
  return planned === undefined ? path : `${path}?planned=${encodeURIComponent(planned)}`;
}

/** The path of the page of a record that a release makes, by its external id. */
export function plannedPath(resource: Resource, key: unknown): string {
  const editor = certain(
    EDITORS.find((one) => one.resource === resource),
    `no page of ${resource}`,
  );
  return editorPath(editor, null, String(key));
}

/** The list to which a record's page leads back. */
export function listPath({ resource, path, list }: Editor, sectionId: unknown): string {
  if (list) return list.path;
  if (resource === 'photos') return '/admin/photos';
  if (!isCollection(resource)) return path;
  return sectionId ? `/admin/menu?section=${sectionId}` : '/admin/menu';
}

/** The page for a new record, of a section perhaps. */
export function newPath(editor: Editor, sectionId: unknown): string {
  const path = editorPath(editor, null);
  return sectionId ? `${path}?section=${sectionId}` : path;
}

/** The page for a new record that begins as another one. */
export function copyPath(editor: Editor, id: number): string {
  return `${editorPath(editor, null)}?copy=${id}`;
}

/** A record as its page shows it. */
export interface EditorState extends PageState {
  /** Null for a new one. */
  id: number | null;
  title: string;
  draft: FormDraft;
  /** The values when the form was opened; null for a new record. */
  base: FormDraft | null;
  etag: string;
  /** The external id of a record that the chosen release makes. */
  planned?: string;
  /** The path of the picture that the record is. */
  picture?: string;
  errors?: Record<string, string>;
  remarks?: Record<string, string>;
}

async function recordOptions({ db, request, tenantId }: Desk, collection: NamedCollection) {
  const found = await listNamed(db, collection, tenantId);
  return found.map(({ id, name }) => ({
    value: String(id),
    label: nameIn(name, request.language),
  }));
}

/** The latest photos of the restaurant, each with a small picture. */
async function photoOptions({ db, request, say, tenantId }: Desk): Promise<Option[]> {
  const { language } = request;
  const photos = await listPhotos(db, tenantId, constants.maxListedPhotos);
  return photos.map(({ id, alt, thumbnail }) => ({
    value: String(id),
    label: nameIn(alt, language) || say('photos.numbered', { n: id }),
    image: thumbnail,
  }));
}

async function dishOptions({ db, request, tenantId }: Desk): Promise<Option[]> {
  const { language } = request;
  const found = await listPlainDishes(db, tenantId, constants.maxListedDishes);
  return tellApart(
    found.map(({ id, name, section }) => ({
      value: String(id),
      name: nameIn(name, language),
      section: nameIn(section, language),
    })),
  );
}

async function optionsOf(desk: Desk, resource: string): Promise<Option[]> {
  if (resource === 'categories') return sectionOptions(desk, await readSections(desk));
  if (resource === 'photos') return photoOptions(desk);
  if (resource === 'items') return dishOptions(desk);
  return recordOptions(desk, resource as NamedCollection);
}

/** The words for a reference that names nothing. */
const NONE: Record<string, TextKey> = { parent_id: 'editor.top' };

/** The records that the references of a record may name, by field. */
export async function referenceOptions(
  desk: Desk,
  { record }: Editor,
): Promise<Record<string, Option[]>> {
  const { say } = desk;
  const options: Record<string, Option[]> = {};
  for (const { field, to, isNullable, isSingle } of referencesFrom(record)) {
    const present = await optionsOf(desk, to.resource);
    const found = [...present, ...plannedOptions(desk, to.resource)];
    const none = NONE[field] ?? (to.isUploaded ? 'photos.none' : 'editor.none');
    const isCourse = !isSingle && to.resource === 'items';
    options[field] = isNullable && !isCourse ? [{ value: '', label: say(none) }, ...found] : found;
  }
  return options;
}

/** A draft with the ids of the dishes that it names, and errors for the names that no dish has. */
export async function findNamedDishes(desk: Desk, editor: Editor, draft: FormDraft) {
  if (!namesDishes(draft)) return { draft, errors: {} };
  const { courses = [] } = await referenceOptions(desk, editor);
  return findDishes(desk.say, draft, courses);
}

/** The id of a record's form, which the parts of the preview belong to. */
export const EDITOR_FORM = 'editor';

const LOCALE_FIELD = 'preview_locale';
const SHOWN: ReadonlySet<Resource> = new Set(['items', 'categories', 'theme']);

export function hasPreview({ resource }: Editor): boolean {
  return SHOWN.has(resource);
}

/** The path under which a draft of a record is shown as guests will see it. */
export function previewPath(editor: Editor): string {
  return `${editor.path}/preview`;
}

/** The language that was chosen for the preview, else the page's, else the restaurant's first. */
export function previewLocale({ request }: Desk, draft: FormDraft): Locale {
  const { brand, context, language } = request;
  const served = (wanted: string) => brand.locales.find((locale) => locale === wanted);
  const { defaultLocale } = context.restaurant.tenant;
  return served(one(draft, LOCALE_FIELD)) ?? served(language) ?? defaultLocale;
}

/** The way to the preview where it stands below a long form. */
export function previewLink({ say }: Desk, editor: Editor): Content {
  if (!hasPreview(editor)) return null;
  return html`<a class="button to-preview" href="#preview">${say('editor.preview')}</a>`;
}

/**
 * The frame in which a form's draft can be seen. The button sends the form into the frame; with script
 * this happens while somebody types. Nothing of it is saved.
 */
export function previewPart(desk: Desk, editor: Editor, { id, draft, status }: EditorState) {
  if (!hasPreview(editor)) return null;
  const { say, brand } = desk.request;
  const path = `${editorPath(editor, id)}/preview`;
  const title = say('editor.preview');
  const value = previewLocale(desk, draft);
  const field = { name: LOCALE_FIELD, label: say('editor.previewLanguage'), value };
  // The frame begins with the record as it is stored, unless the form holds something else.
  const isStored = id !== null && status === undefined;
  const source = isStored && html` src="${path}"`;
  return html`<section class="card part preview ${editor.resource}" aria-labelledby="preview">
<h2 id="preview">${title}</h2>
<p class="hint">${say('editor.previewHint')}</p>
<div class="row">${select(field, languageOptions(brand.locales), EDITOR_FORM)}
<button class="button" form="${EDITOR_FORM}" formaction="${path}" formtarget="preview" data-preview>${title}</button></div>
<iframe name="preview" title="${title}" sandbox="allow-same-origin" height="240"${source}></iframe>
</section>`;
}
