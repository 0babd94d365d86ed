import { constants } from '../../../db/runtime/constants.ts';
import { theme } from '../../../db/schema/theme.ts';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { isCollection, type Resource } from '../../../db/schema/values/resource.ts';
import { listDishes } from '../../../db/sql/dishes.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import { contrast, parseColor } from '../../theme/color.ts';
import type { Desk } from '../desk.ts';
import {
  draftOf,
  type FormDraft,
  type FormPlace,
  type FormView,
  one,
  withFieldsOf,
} from '../forms/draft.ts';
import { focusPicture } from '../forms/photo-group.ts';
import { errorLinks, packDraft, recordFields } from '../forms/record-form.ts';
import { enterButton, notice, onceFields } from '../pages/fields.ts';
import { nameHeading, titledPage } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { pictureRemarks } from '../photos/broken-pictures.ts';
import { messageNotice } from '../writes/message.ts';
import {
  copyPath,
  EDITOR_FORM,
  type Editor,
  type EditorState,
  editorPath,
  hasPreview,
  listPath,
  previewLink,
  previewPart,
  referenceOptions,
} from './editor.ts';
import { readyThemes } from './ready-themes.ts';
import { chainOfRecord } from './record-chain.ts';

/** The least contrast between a text and its background (WCAG 2, AA). */
const ENOUGH = 4.5;
const HEX = /^#[0-9a-f]{6}$/i;

const WARNING = 'appearance.contrast';

/** Says which of a theme's colours cannot be read on its background. */
export function contrastWarnings({ say, language }: PanelRequest, draft: FormDraft): Content {
  const { fields } = theme;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const ground = one(draft, 'background_color');
  if (!HEX.test(ground)) return null;
  const found = (['text_color', 'primary_color', 'accent_color'] as const).flatMap((name) => {
    const color = one(draft, name);
    if (!HEX.test(color)) return [];
    const ratio = contrast(parseColor(color), parseColor(ground));
    if (ratio >= ENOUGH) return [];
    const values = {
      one: say(fields[name].options.label),
      other: say(fields.background_color.options.label),
      ratio: format.format(ratio),
    };
    return [html`<li>${say(WARNING, values)}</li>`];
  });
  return found.length > 0 && html`<ul class="warnings">${found}</ul>`;
}

export function formPlace({ request, session }: Desk): FormPlace {
  const { fallbackLocale, currency } = request.context.restaurant.tenant;
  return { fallbackLocale, currency, language: request.language, timezone: session.timezone };
}

/** The restaurant's fallback, its other languages, and each one in which the record has a text. */
function editedLocales(desk: Desk, draft: FormDraft) {
  const { brand, context } = desk.request;
  const { fallbackLocale } = context.restaurant.tenant;
  const written = [...draft].filter(([, [text]]) => text !== '');
  const used = new Set(written.map(([name]) => name.slice(name.lastIndexOf('.') + 1)));
  const others = ALL_LOCALES.filter((locale) => brand.locales.includes(locale) || used.has(locale));
  return [fallbackLocale, ...others.filter((locale) => locale !== fallbackLocale)];
}

function deletion({ request, say }: Desk, editor: Editor, state: EditorState): Html {
  const isSection = editor.resource === 'categories';
  const text = isSection ? 'editor.removeSection' : 'editor.removeOne';
  const title = editor.list ? 'editor.remove' : 'editor.removeTitle';
  return html`<section class="card part removal"><h2>${say(title)}</h2>
<p class="hint">${say(text)} ${say('editor.removedFor', { days: constants.purgeDays })}</p>
<form method="post" action="${editorPath(editor, state.id)}">${onceFields(request)}
  <button class="button danger" name="do" value="delete">${say('editor.remove')}</button>
</form></section>`;
}

/** Whether a dish stands in a section of wines. */
function isWineOf({ category_id: sections = [] }: FormView['options'], draft: FormDraft): boolean {
  const chosen = one(draft, 'category_id');
  return sections.some(({ value, isWine }) => isWine && value === chosen);
}

/** So many dishes say which fields a house uses. */
const NEIGHBOURS = 12;

/** The dishes of the section of a new dish. */
async function readNeighbours(desk: Desk, { resource, record }: Editor, draft: FormDraft) {
  const sectionId = parseRecordId(one(draft, 'category_id'));
  if (resource !== 'items' || sectionId === null) return [];
  const search = { sectionId, limit: NEIGHBOURS };
  const dishes = await listDishes(desk.db, desk.tenantId, search);
  return dishes.map(({ data }) => draftOf(record, data, formPlace(desk)));
}

const NEXT: Partial<Record<Resource, TextKey>> = {
  items: 'editor.addNext',
  categories: 'editor.addNextSection',
};

/** Buttons that save a new dish and begin one in another section. */
function nextSections({ say, options, draft }: FormView): Content {
  const own = one(draft, 'category_id');
  const others = (options.category_id ?? []).filter(({ value }) => value !== own);
  if (others.length === 0) return null;
  const buttons = others.map(
    ({ value, label }) =>
      html`<button class="button" name="do" value="save-next:${value}">${label.trim()}</button>`,
  );
  return html`<div class="next-in" role="group" aria-label="${say('editor.nextIn')}"><span>${say('editor.nextIn')}</span>${buttons}</div>`;
}

function saveText(editor: Editor, isNew: boolean): TextKey {
  if (!isNew) return 'editor.save';
  return editor.list ? 'editor.addOne' : 'editor.add';
}

function saveButtons(desk: Desk, editor: Editor, view: FormView, isNew: boolean): Html {
  const { say } = desk;
  const text = saveText(editor, isNew);
  const next = isNew && NEXT[editor.resource];
  const beside = next
    ? html`<button class="button" name="do" value="save-next">${say(next)}</button>`
    : previewLink(desk, editor);
  const sections = isNew && editor.resource === 'items' && nextSections(view);
  return html`<div class="save"><button class="main" name="do" value="save">${say(text)}</button>${beside}${sections}</div>`;
}

/** The field that the page's address asks for; of a new record the name, which people type first. */
function focusedField({ request }: Desk, { record }: Editor, isNew: boolean): string | null {
  const asked = parseQuery(request.context.query).get('field') ?? '';
  if (Object.hasOwn(record.fields, asked)) return asked;
  return isNew ? 'name' : null;
}

/** The page of a record: a form made from its declaration. */
export async function recordPage(desk: Desk, editor: Editor, state: EditorState): Promise<Answer> {
  const { request, say } = desk;
  const { id, base, etag, planned, errors = {} } = state;
  const wrong = Object.keys(errors).length;
  const isList = isCollection(editor.resource);
  const isNew = isList && id === null && planned === undefined;
  const options = await referenceOptions(desk, editor);
  const chain = await chainOfRecord(desk, editor.resource, id);
  const draft = withFieldsOf(state.draft, base ?? state.draft, chain.locked);
  const isWine = isWineOf(options, draft);
  const remarks = {
    ...chain.remarks,
    ...(await pictureRemarks(desk, editor.resource, id, draft)),
    ...state.remarks,
  };
  const title = id === null && isWine && planned === undefined ? say('menu.newWine') : state.title;
  const view: FormView = {
    ...{ say, place: formPlace(desk), draft, errors, remarks, locked: chain.locked },
    locales: editedLocales(desk, draft),
    options,
    focused: wrong > 0 || state.notice ? null : focusedField(desk, editor, isNew),
    isWine,
    neighbours: id === null ? await readNeighbours(desk, editor, draft) : [],
  };
  const section = one(draft, 'category_id') || (editor.resource === 'categories' ? id : '');
  const bad =
    wrong > 0 && notice('bad', say('editor.errors', { n: wrong }), errorLinks(editor.record, view));
  const content = html`${bad}
${state.picture ? focusPicture(say, state.picture) : null}
${editor.resource === 'theme' && readyThemes(desk)}
${editor.resource === 'theme' && html`<div class="warned" role="status">${contrastWarnings(request, draft)}</div>`}
<div class="drafting">
<form class="editor" id="${EDITOR_FORM}" method="post" action="${editorPath(editor, id, planned)}" novalidate>
  ${onceFields(request)}
  <input type="hidden" name="etag" value="${etag}">
  ${enterButton('save', say(saveText(editor, isNew)))}
  ${base !== null && html`<input type="hidden" name="base" value="${packDraft(base)}">`}
  ${recordFields(editor.record, view)}
  ${saveButtons(desk, editor, view, isNew)}
</form>
${previewPart(desk, editor, state)}
</div>
${chain.part}
${isList && id !== null && deletion(desk, editor, state)}`;
  const said = state.notice ?? (await messageNotice(desk, view.focused === null));
  return titledPage(desk, {
    ...{ state: { ...state, notice: said }, title, content, place: editor.place },
    ...(isList && { way: [listPath(editor, section), say(editor.list?.title ?? 'editor.back')] }),
    heading: nameHeading(title),
    opening:
      isList &&
      id !== null &&
      html`<p class="way"><a href="/admin/history?record=${editor.resource}:${id}">${say('places.history')}</a>${editor.resource === 'items' && html` · <a href="${copyPath(editor, id)}">${say('editor.copy')}</a>`}</p>`,
    ...{ hasFrame: hasPreview(editor), hasForeignPictures: true },
  });
}
