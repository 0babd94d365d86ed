import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { dish } from '../../../db/schema/dish.ts';
import { type Locale, localize } from '../../../db/schema/locale.ts';
import { type Row, type View, viewRecord } from '../../../db/schema/record.ts';
import { section } from '../../../db/schema/section.ts';
import { theme } from '../../../db/schema/theme.ts';
import { findRecord } from '../../../db/sql/menu/find-records.ts';
import { readMenu, readRestaurant } from '../../display/menu-view.ts';
import { dishPreview, type Preview, sectionPreview, themePreview } from '../../display/preview.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import type { LoadedSnapshot } from '../../snapshots/loaded-snapshot.ts';
import { contrastWarnings } from '../appearance/contrast-warnings.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import type { Draft } from '../forms/draft.ts';
import { isFromOurPage } from '../panel-request.ts';
import type { Editor } from '../records/editor.ts';
import { formPlace } from '../records/record-page.ts';
import { idOf, notFoundPage } from '../records/show-record.ts';
import { blankRow, draftedRow } from './drafted-row.ts';
import { previewLocale } from './preview-part.ts';

/** Dishes of the menu after which a preview of the theme shows no further section. */
const ENOUGH_DISHES = 8;

/** The row of a record, or of one that would be new; null when there is no such record. */
async function findRow(desk: Desk, { resource, record }: Editor, id: number | null) {
  if (id === null && !record.isSingleton) return blankRow(record);
  const found = await findRecord(desk.db, resource, desk.request.tenantId, id);
  return found && found.deletedAt === null ? (found.row as Row) : null;
}

/** The maker that a draft of a wine names. */
async function findWinery({ db, request }: Desk, id: unknown): Promise<Row | null> {
  if (typeof id !== 'number') return null;
  const found = await findRecord(db, 'wineries', request.tenantId, id);
  return found && found.deletedAt === null ? (found.row as Row) : null;
}

async function draw(
  desk: Desk,
  { resource }: Editor,
  { row, draft, snapshot }: { row: Row; draft: Draft; snapshot: LoadedSnapshot },
): Promise<Preview> {
  const { locale, tenant } = snapshot;
  const read: View['read'] = (texts) => localize(texts, locale, tenant.defaultLocale);
  if (resource === 'theme') {
    const view = await inSlices(readMenu(snapshot, ENOUGH_DISHES), constants.renewalSlice);
    const warnings = contrastWarnings(desk.request, draft);
    return themePreview({ ...view, theme: viewRecord(theme, row, { read }) }, warnings);
  }
  const reading = readRestaurant(snapshot);
  if (resource === 'categories') {
    const shown = viewRecord(section, row, { read });
    return sectionPreview({ ...shown, items: [], types: [], children: [] }, reading);
  }
  const winery = await findWinery(desk, row.winery_id);
  return dishPreview(viewRecord(dish, row, { read, embed: () => winery }), reading);
}

async function readDraft({ request, domain }: Desk): Promise<Draft | null> {
  // Nothing is changed; another site's form is refused all the same.
  if (request.context.method !== 'post' || !isFromOurPage(request, domain)) return null;
  return (await readForm(request.context, constants.maxRecordFormBytes)).all();
}

/**
 * `GET` of a record's preview: the record as it is. `POST`: as the form that is sent would leave it, with
 * the record's own values where the rules refuse what is typed. Nothing is written.
 */
export async function showPreview(desk: Desk, editor: Editor): Promise<Answer> {
  const { request, store } = desk;
  const id = idOf(desk, editor);
  const row = id === 'nothing' ? null : await findRow(desk, editor, id);
  if (!row) return notFoundPage(desk);
  const draft = await readDraft(desk);
  const locale: Locale = previewLocale(desk, draft ?? new Map());
  const snapshot = await store.find(request.context.front.tenant.slug, locale);
  if (!snapshot) return notFoundPage(desk);
  const drafted = draft ? draftedRow(editor.record, row, draft, formPlace(desk)) : row;
  const preview = await draw(desk, editor, { row: drafted, draft: draft ?? new Map(), snapshot });
  return createAnswer(
    '200 OK',
    'no-store',
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': locale,
      'Content-Security-Policy': preview.contentSecurityPolicy,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'SAMEORIGIN',
      'Referrer-Policy': 'same-origin',
    },
    Buffer.from(preview.text),
  );
}
