import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { dish } from '../../../db/schema/dish.ts';
import type { Embed, Field } from '../../../db/schema/field.ts';
import { newRow, type RecordType, type View, viewRecord } from '../../../db/schema/record.ts';
import { idsIn } from '../../../db/schema/references.ts';
import { records, referencesFrom } from '../../../db/schema/registry.ts';
import { section } from '../../../db/schema/section.ts';
import { theme } from '../../../db/schema/theme.ts';
import { type Locale, localize } from '../../../db/schema/values/locale.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { findRecord } from '../../../db/sql/admin-records.ts';
import { readMenu, readRestaurant } from '../../display/parts/menu-view.ts';
import {
  dishPreview,
  type Preview,
  sectionPreview,
  themePreview,
} from '../../display/release-preview.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../../http/answer.ts';
import { html, UNLISTED } from '../../http/html.ts';
import type { LoadedSnapshot } from '../../snapshots/loaded-snapshot.ts';
import { panelStyles } from '../assets.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { editableFields, type FormDraft } from '../forms/draft.ts';
import { readFields } from '../forms/read-draft.ts';
import type { PanelRequest } from '../panel-request.ts';
import { rowWith } from '../writes/planned-values.ts';
import { type Editor, findNamedDishes, previewLocale } from './editor.ts';
import { contrastWarnings, formPlace } from './record-page.ts';
import { readSent } from './sent-form.ts';
import { idOf, notFoundPage } from './show-record.ts';

/** Dishes of the menu after which a preview of the theme shows no further section. */
const ENOUGH_DISHES = 8;

/** A document for the frame of a preview. */
function frameAnswer(status: string, language: Locale, policy: string, text: string): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': policy,
    ...PAGE_HEADERS,
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'same-origin',
  };
  return createAnswer(status, 'no-store', headers, Buffer.from(text));
}

/** The row of a record; null when there is no such record. */
async function findRow({ db, tenantId }: Desk, resource: Resource, id: number | null) {
  const found = await findRecord(db, resource, tenantId, id);
  return found && found.deletedAt === null ? found.row : null;
}

/** The records that a draft names and shows within itself, such as the maker of a wine. */
async function embedOf(desk: Desk, record: RecordType, row: Row): Promise<Embed> {
  const rows = new Map<string, Row | null>();
  for (const { field, to } of referencesFrom(record)) {
    for (const id of idsIn(row[field])) {
      if (id === null) continue;
      rows.set(`${to.resource}/${id}`, await findRow(desk, to.resource, id));
    }
  }
  return (resource, id) => rows.get(`${resource}/${id}`) ?? null;
}

async function draw(
  desk: Desk,
  { resource }: Editor,
  { row, draft, snapshot }: { row: Row; draft: FormDraft; snapshot: LoadedSnapshot },
): Promise<Preview> {
  const { locale, tenant } = snapshot;
  const read: View['read'] = (texts) =>
    localize(texts, { locale, fallback: tenant.fallbackLocale, usual: tenant.defaultLocale });
  if (resource === 'theme') {
    const view = await inSlices(readMenu(snapshot, desk.now(), { enough: ENOUGH_DISHES }));
    const warnings = contrastWarnings(desk.request, draft);
    return themePreview({ ...view, theme: viewRecord(theme, row, { read }) }, warnings);
  }
  const reading = readRestaurant(snapshot, desk.now());
  if (resource === 'categories') {
    const embed = await embedOf(desk, records.categories, row);
    const shown = viewRecord(section, row, { read, embed });
    return sectionPreview({ ...shown, items: [], types: [], children: [] }, reading);
  }
  const embed = await embedOf(desk, records.items, row);
  return dishPreview(viewRecord(dish, row, { read, embed }), reading);
}

async function readDraft(desk: Desk, editor: Editor): Promise<FormDraft | null> {
  const { context } = desk.request;
  if (context.method !== 'post') return null;
  const { own } = readSent(await readForm(context, constants.maxRecordFormBytes));
  return (await findNamedDishes(desk, editor, own)).draft;
}

/**
 * `GET` of a record's preview: the record as it is. `POST`: as the form that is sent would leave it, with
 * the record's own values where the rules refuse what is typed. Nothing is written.
 */
export async function showPreview(desk: Desk, editor: Editor): Promise<Answer> {
  const { request, store, say } = desk;
  const id = idOf(desk, editor);
  if (id === 'nothing') return notFoundPage(desk);
  // Its menu is in no gateway's memory, so that there is nothing to draw a preview from.
  if (request.context.restaurant.suspension) {
    return messageFrame(request, say('failures.suspendedTitle'));
  }
  const isNew = id === null && !editor.record.isSingleton;
  const row = isNew ? blankRow(editor.record) : await findRow(desk, editor.resource, id);
  if (!row) return notFoundPage(desk);
  const draft = await readDraft(desk, editor);
  const locale: Locale = previewLocale(desk, draft ?? new Map());
  const snapshot = await store.find(request.context.restaurant.tenant.slug, locale);
  if (!snapshot) return notFoundPage(desk);
  const { record } = editor;
  const drafted = draft
    ? rowWith(desk, record, row, readFields(editableFields(record), draft, formPlace(desk)))
    : row;
  const preview = await draw(desk, editor, { row: drafted, draft: draft ?? new Map(), snapshot });
  return frameAnswer('200 OK', locale, preview.contentSecurityPolicy, preview.text);
}

const ENDED_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'self'; base-uri 'none'";

/** The frame of a preview once the session has ended: the sign-in page may not be framed. */
export async function endedPreview(request: PanelRequest): Promise<Answer> {
  return messageFrame(request, request.say('editor.previewEnded'));
}

/** A frame that says one thing in the place of a preview. */
function messageFrame({ brand, say, language }: PanelRequest, message: string): Answer {
  // The script shows a document with this id in the place of the former preview.
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
${UNLISTED}
<title>${say('editor.preview')}</title>
<link rel="stylesheet" href="/admin/theme.css?v=${brand.stylesheet.version}">
<link rel="stylesheet" href="/admin/panel.css?v=${panelStyles.version}">
</head>
<body><main id="menu"><p class="notice bad" role="alert">${message}</p></main></body>
</html>
`;
  return frameAnswer('403 Forbidden', language, ENDED_POLICY, text);
}

/** A new record before anything was written: its defaults, without texts and a price. */
function blankRow(record: RecordType): Row {
  const texts = Object.entries<Field>(record.fields).filter(([, field]) => field.isTranslated);
  return {
    id: 0,
    ...Object.fromEntries(texts.map(([name]) => [`${name}_translations`, {}])),
    ...newRow(record, {}, {}),
    price: Number.NaN,
  };
}
