import { constants } from '../../../db/runtime/constants.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { IMPORT_FORMATS, type ImportFormat } from '../../../db/schema/exchange-report.ts';
import type { TableFacts } from '../../../db/schema/table.ts';
import { exportMenu } from '../../../db/snapshot/menu-document.ts';
import type { Say } from '../../../db/texts/say.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Answer, createAnswer, JSON_TYPE } from '../../http/answer.ts';
import { CSV_TYPE } from '../../http/csv.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { writeDishCsv } from '../../routes/whole-menu/export.ts';
import type { Desk } from '../desk.ts';
import { newFormId } from '../form.ts';
import { choiceInput, select } from '../forms/inputs.ts';
import { hiddenFields, notice, onceField, onceFields } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { formPlace } from '../records/record-page.ts';
import { messageNotice } from '../writes/message.ts';
import {
  columnList,
  languageChoice,
  partChoices,
  signChoices,
  tableNotes,
  tableRows,
} from './column-list.ts';
import { diffCounts, diffView, failedView } from './diff-view.ts';
import type { Asked, FileTrouble, ImportUpload } from './read-upload.ts';
import { reportView } from './report-view.ts';
import type { Imported } from './send-import.ts';
import { carriedChoices, choicesOf, tableChoices, tableRead } from './table-choices.ts';

/** People read an exported document, too. */
const INDENT = '  ';

/** `GET /admin/import/export`: the menu as a document, or with `?format=csv` its dishes as a table. */
export async function sendExport({ request, session, reportDb, now, tenantId }: Desk) {
  const { context, language } = request;
  const { document } = await reportDb.moment((tx) => exportMenu(tx, tenantId));
  const isCsv = new URLSearchParams(context.query).get('format') === 'csv';
  const body = await (isCsv
    ? writeDishCsv(document, language === 'en' ? ',' : ';')
    : writeJson(document, INDENT));
  const { day } = localTime(session.timezone, now());
  const name = `${context.restaurant.tenant.slug}-${day}.${isCsv ? 'csv' : 'json'}`;
  const headers = {
    'Content-Type': isCsv ? CSV_TYPE : JSON_TYPE,
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return createAnswer('200 OK', 'no-store', headers, body);
}

export const IMPORT_PATH = '/admin/import';
export const EXPORT_PATH = '/admin/import/export';
const MIB = 1_048_576;

/** Those fields of the form that a page brings back. */
type Given = Partial<Pick<Asked, 'deleteMissing' | 'onlyPrices' | 'pasted'>> &
  Partial<Pick<ImportUpload, 'service'>>;

/** Where a file comes from: a menu of Lavagna, a table, or the document of a service. */
function serviceChoice(say: Say, service: ImportFormat | null): Html {
  const own = { value: '', label: say('exchange.ownFile') };
  const services = IMPORT_FORMATS.map((value) => {
    return { value, label: say(`exchange.targets.${value}`) };
  });
  const field = { name: 'service', label: say('exchange.from'), value: service ?? '' };
  return select(field, [own, ...services]);
}

/** The form in which a file is chosen. */
function uploadForm({ request, say }: Desk, title: string, given: Given): Html {
  const { deleteMissing = false, onlyPrices = false, pasted = '' } = given;
  const box = choiceInput('checkbox', {
    ...{ name: 'delete_missing', value: '1', checked: deleteMissing },
    ...{ label: say('import.deleteMissing'), hint: say('import.deleteMissingHint') },
  });
  const prices = choiceInput('checkbox', {
    ...{ name: 'only_prices', value: '1', checked: onlyPrices },
    ...{ label: say('import.onlyPrices'), hint: say('import.onlyPricesHint') },
  });
  return html`<section class="card part"><h2>${title}</h2>
<p class="hint" id="bring-hint">${say('import.bringHint')}</p>
<form method="post" action="${IMPORT_PATH}" enctype="multipart/form-data">${onceFields(request)}
${serviceChoice(say, given.service ?? null)}
<div class="field"><label for="file">${say('import.file')}</label><input id="file" name="file" type="file" aria-describedby="bring-hint"></div>
<details${pasted !== '' && html` open`}><summary>${say('import.paste')}</summary><div class="field"><label for="text">${say('import.pasted')}</label><textarea id="text" name="text" rows="6" spellcheck="false">${pasted !== '' && html`\n${pasted}`}</textarea></div></details>
<details><summary>${say('import.howWritten')}</summary>${tableChoices(say, {})}</details>
${prices}${box}
<div class="row"><button class="main" name="do" value="show">${say('import.show')}</button></div>
</form></section>`;
}

function exportLinks({ say }: Desk): Html {
  return html`<section class="card part"><h2>${say('import.take')}</h2>
<p class="hint">${say('import.takeHint')}</p>
<div class="row"><a class="button" href="${EXPORT_PATH}" download>${say('import.json')}</a><a class="button" href="${EXPORT_PATH}?format=csv" download>${say('import.csv')}</a></div></section>`;
}

/** `GET /admin/import` */
export async function showImport(desk: Desk): Promise<Answer> {
  return blankPage(desk, '200 OK', await messageNotice(desk));
}

/** The page on which a file is chosen. */
function blankPage(desk: Desk, status: string, notice: Content, given: Given = {}): Answer {
  const { say } = desk;
  const form = uploadForm(desk, say('import.bring'), given);
  const content = html`<div class="editor">${form}${exportLinks(desk)}</div>`;
  const title = say('import.title');
  return titledPage(desk, { state: { status, notice }, title, content, place: 'import' });
}

/** The page for a file that nothing can be done with. */
export function troublePage(desk: Desk, status: string, trouble: FileTrouble, given: Given = {}) {
  const text = desk.say(`fileTrouble.${trouble}`, { n: constants.maxDocumentBytes / MIB });
  return blankPage(desk, status, notice('bad', text), given);
}

/** The page for a file that is wrong as a whole. */
export function invalidPage(
  desk: Desk,
  upload: ImportUpload,
  errors: readonly string[],
  table: TableFacts | undefined,
): Answer {
  const { say } = desk;
  const list = html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>`;
  const message = notice('bad', say('import.errorsTitle'), list);
  const isTable = upload.format === 'csv' && upload.service === null;
  const again = isTable && tablePart(desk, upload, table, true);
  const foreign = isTable && foreignTable(desk, upload, table);
  return blankPage(desk, '422 Unprocessable Content', html`${foreign}${message}${again}`, upload);
}

const introOf = ({ fileName }: ImportUpload) =>
  fileName === '' ? null : html`<bdi>${fileName}</bdi>`;

/** The form in which a table is read again: the cells that it corrects stand elsewhere on the page. */
const READ_FORM = 'read-again';

/**
 * A form whose hidden fields carry a file on from page to page, with the button that sends it.
 *
 * @param applyTo the tag of the menu to which the file is applied; null for a comparison
 * @param choices fields that say how a table is read; hidden ones by default
 */
function carryingForm(
  { request, say }: Desk,
  { formId, fileName, packed, format, table, ...upload }: ImportUpload,
  applyTo: string | null,
  text: string,
  choices: Content = null,
): Html {
  const carried =
    format === 'csv' && upload.service === null ? Object.entries(carriedChoices(table)) : [];
  const hidden = carried.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const action = applyTo === null ? 'show' : upload.skipsRefused ? 'apply-rest' : 'apply';
  const id = choices !== null && html` id="${READ_FORM}"`;
  return html`<form method="post" action="${IMPORT_PATH}" enctype="multipart/form-data"${id}>${hiddenFields(request)}
${onceField(formId)}
<input type="hidden" name="file_name" value="${fileName}">
<input type="hidden" name="service" value="${upload.service ?? ''}">
<input type="hidden" name="document" value="${packed}">
<input type="hidden" name="delete_missing" value="${upload.deleteMissing ? '1' : '0'}">
<input type="hidden" name="only_prices" value="${upload.onlyPrices ? '1' : '0'}">
<input type="hidden" name="etag" value="${applyTo ?? ''}">
${choices ?? hidden}
<div class="row"><button class="main" name="do" value="${action}">${text}</button><a class="button" href="${IMPORT_PATH}">${say('import.cancel')}</a></div></form>`;
}

/**
 * A page that carries a file on without a diff: its button asks again for what has no result yet.
 *
 * @param applyTo as of `carryingForm`
 */
export function carryingPage(
  desk: Desk,
  upload: ImportUpload,
  status: string,
  notice: Html,
  applyTo: string | null,
): Answer {
  const { say } = desk;
  const text = say(applyTo === null ? 'import.show' : 'import.lookAgain');
  return titledPage(desk, {
    ...{ state: { status, notice }, title: say('import.title'), intro: introOf(upload) },
    ...{ content: carryingForm(desk, upload, applyTo, text), place: 'import' },
  });
}

/** Corrections of cells that an earlier page has made, as hidden fields: they hold on. */
function corrections({ table: { cells = {}, left_rows = [] } }: ImportUpload): Html[] {
  const { encoding: _encoding, ...carried } = carriedChoices({ cells, left_rows });
  return Object.entries(carried).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** The part in which people say how a table is read, and see its first rows. */
function tablePart(
  desk: Desk,
  upload: ImportUpload,
  table: TableFacts | undefined,
  isRefused = false,
): Html {
  const { say, brand } = desk.request;
  const writing = { say, place: formPlace(desk) };
  const next = { ...upload, formId: newFormId() };
  const found =
    table !== undefined &&
    html`${tableNotes(say, table, upload.deleteMissing)}${partChoices(writing, table, upload.table)}
${signChoices(writing, table)}${languageChoice(writing, brand.locales, table)}
${columnList(writing, brand.locales, table)}`;
  const written = html`<details${isRefused && html` open`}><summary>${say('import.howWritten')}</summary>${tableChoices(say, upload.table)}</details>`;
  const hint = table !== undefined && html`<p class="hint">${say('import.tableHint')}</p>`;
  const choices = html`${found}${written}${corrections(upload)}`;
  return html`<section class="card part table"><h2>${say('import.tableTitle')}</h2>${hint}
${carryingForm(desk, next, null, say('import.readAgain'), choices)}</section>
${table !== undefined && html`<section class="card part">${tableRows(writing, table)}</section>`}`;
}

/** Applies a table as it was shown: what was found is asked for. */
function applyPart(
  desk: Desk,
  upload: ImportUpload,
  etag: string,
  table: TableFacts | undefined,
  failed: number,
): Html {
  const { say } = desk;
  const next = {
    ...upload,
    formId: newFormId(),
    skipsRefused: failed > 0,
    table: table ? choicesOf(table, upload.table) : upload.table,
  };
  const text = failed > 0 ? say('import.applyRest', { n: failed }) : say('import.apply');
  return html`${carryingForm(desk, next, etag, text)}
<p class="hint"><a href="${EXPORT_PATH}" download>${say('import.keepCopy')}</a>. ${say('import.keepCopyHint')}</p>`;
}

/** Offers to read a table as the export of a service that it is. */
function foreignTable(desk: Desk, upload: ImportUpload, table: TableFacts | undefined): Content {
  if (table?.source !== 'square') return null;
  const { say } = desk;
  const next = { ...upload, service: 'square_csv' as const, formId: newFormId() };
  const name = say('exchange.targets.square');
  return html`<section class="card part"><p>${say('exchange.isSquare')}</p>
${carryingForm(desk, next, null, say('exchange.readAs', { name }))}</section>`;
}

/** The page that shows the difference that a file would make, and asks whether to make it. */
export function diffPage(
  desk: Desk,
  upload: ImportUpload,
  { diff, table, report, ignored, etag }: Extract<Imported, { kind: 'compared' }>,
  notice: Content,
): Answer {
  const writing = { say: desk.say, place: formPlace(desk) };
  const { say } = writing;
  const { created, updated, deleted, failed } = diff.counts;
  const canApply = created + updated + (failed === 0 ? deleted : 0) > 0;
  const found = failed === 0 && !canApply ? say('import.nothingNew') : say('import.notYet');
  const changes = diffView(writing, diff);
  const columns = table !== undefined && tablePart(desk, upload, table);
  // Columns that are not understood stand above the changes, and clear ones below them.
  const isOpen = table?.columns.some(({ target, left }) => target === null && !left);
  const content = html`${foreignTable(desk, upload, table)}
<section class="card part summary">${diffCounts(writing, diff)}<p>${found}</p>
${table !== undefined && html`<p class="hint">${tableRead(say, table)}</p>`}
${ignored.length > 0 && table === undefined && html`<p class="hint">${say('import.ignored', { fields: ignored.join(', ') })}</p>`}
${canApply && applyPart(desk, upload, etag, table, failed)}</section>
${failedView(writing, diff, table === undefined ? null : READ_FORM)}
${report !== undefined && html`<section class="card part summary"><h2>${say('exchange.notTaken')}</h2>${reportView(say, report)}</section>`}
${isOpen ? [columns, changes] : [changes, columns]}
${!canApply && uploadForm(desk, say('import.another'), upload)}`;
  const status = failed > 0 ? '422 Unprocessable Content' : '200 OK';
  return titledPage(desk, {
    ...{ state: { status, notice }, title: say('import.diffTitle'), intro: introOf(upload) },
    ...{ content, place: 'import' },
  });
}
