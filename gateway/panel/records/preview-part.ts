import type { Resource } from '../../../db/schema/registry.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import { type Content, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type FormDraft, one } from '../forms/draft.ts';
import { select } from '../forms/inputs.ts';
import type { EditorState } from './editor.ts';
import { type Editor, editorPath } from './editor.ts';

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
  const isServed = (locale: string) => brand.locales.some((one) => one === locale);
  const wanted = [one(draft, LOCALE_FIELD), language].find(isServed);
  return (wanted as Locale | undefined) ?? context.front.tenant.defaultLocale;
}

/** The way to the preview where it stands below a long form. */
export function previewLink({ request }: Desk, editor: Editor): Content {
  if (!hasPreview(editor)) return null;
  return html`<a class="button to-preview" href="#preview">${request.say('editor.preview')}</a>`;
}

/**
 * The frame in which a form's draft can be seen. The button sends the form into the frame; with script
 * this happens while somebody types. Nothing of it is saved.
 */
export function previewPart(
  desk: Desk,
  editor: Editor,
  { id, draft, status }: EditorState,
): Content {
  if (!hasPreview(editor)) return null;
  const { say, brand } = desk.request;
  const path = `${editorPath(editor, id)}/preview`;
  const title = say('editor.preview');
  const options = brand.locales.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  const field = { name: LOCALE_FIELD, label: say('editor.previewLanguage') };
  // The frame begins with the record as it is stored, unless the form holds something else.
  const isStored = id !== null && status === undefined;
  const source = isStored && html` src="${path}"`;
  return html`<section class="card part preview ${editor.resource}" aria-labelledby="preview">
<h2 id="preview">${title}</h2>
<p class="hint">${say('editor.previewHint')}</p>
<div class="row">${select({ ...field, value: previewLocale(desk, draft) }, options, EDITOR_FORM)}
<button class="button" form="${EDITOR_FORM}" formaction="${path}" formtarget="preview" data-preview>${title}</button></div>
<iframe name="preview" title="${title}" sandbox="allow-same-origin" height="240"${source}></iframe>
</section>`;
}
