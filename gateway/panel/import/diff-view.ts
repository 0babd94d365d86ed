import type { DiffRecord, ImportDiff } from '../../../db/schema/bulk.ts';
import type { Field } from '../../../db/schema/field.ts';
import { defaultsOf, isSame } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { FIRST_WINDOW } from '../../../db/schema/section.ts';
import type { TableCell } from '../../../db/schema/validation/rule.ts';
import { ALL_LOCALES, LANGUAGE_NAMES, textsIn } from '../../../db/schema/values/locale.ts';
import { IS_VISIBLE } from '../../../db/schema/visibility.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { isNothing } from '../forms/draft.ts';
import { inputId } from '../forms/inputs.ts';
import { errorLabel, errorText, textIn, valueText, type Writing } from './value-text.ts';

/** A line of the diff: one field, or one of its languages. */
interface Line {
  label: string;
  before: string;
  after: string;
  lang?: string;
}

/** A line for each language in which a text differs. */
function textLines({ say }: Writing, label: string, [old, now]: readonly unknown[]): Line[] {
  const [before, after] = [textsIn(old), textsIn(now)];
  const changed = ALL_LOCALES.filter(
    (locale) => (before?.[locale] ?? '') !== (after?.[locale] ?? ''),
  );
  return changed.map((locale) => ({
    label: `${label} (${LANGUAGE_NAMES[locale]})`,
    before: before?.[locale] || say('editor.empty'),
    after: after?.[locale] || say('editor.empty'),
    lang: locale,
  }));
}

/** The changes in the order of the record's form; a section's hours are said once. */
function changesInOrder({ resource, changes }: DiffRecord): [string, unknown[]][] {
  const order = Object.keys(resource ? records[resource].fields : {});
  const isSaid = (name: string) => 'hours' in changes && FIRST_WINDOW.some((one) => one === name);
  return Object.entries(changes)
    .filter(([name]) => !isSaid(name))
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
}

function linesOf(writing: Writing, record: DiffRecord): Line[] {
  const { resource } = record;
  const fields: Readonly<Record<string, Field>> = resource ? records[resource].fields : {};
  const { say } = writing;
  return changesInOrder(record).flatMap(([name, change]): Line[] => {
    if (name === IS_VISIBLE) {
      const [before = '', after = ''] = change.map((is) => say(is ? 'editor.yes' : 'editor.no'));
      return [{ label: say('history.isVisible'), before, after }];
    }
    const field = fields[name];
    if (!field) return [];
    const isSoldOut = field.kind === 'moment' && field.options.isAvailability;
    const label = say(isSoldOut ? 'editor.availability' : field.options.label);
    if (field.isTranslated) return textLines(writing, label, change);
    const [before, after] = change.map((value) =>
      value === undefined ? '' : valueText(writing, name, field, value),
    );
    return [{ label, before: before ?? '', after: after ?? '' }];
  });
}

/** A value; a text of the menu with its language, which readers aloud need. */
function shown(text: string, lang: string | undefined): Content {
  return lang === undefined ? text : html`<span lang="${lang}">${text}</span>`;
}

function changeList({ say }: Writing, lines: readonly Line[], isNew: boolean): Html {
  const [before, after] = [say('import.before'), say('import.after')];
  const rows = lines.map(({ label, before: old, after: now, lang }) =>
    isNew
      ? html`<div><dt>${label}</dt><dd>${shown(now, lang)}</dd></div>`
      : html`<div><dt>${label}</dt>${old !== '' && html`<dd><span class="hidden">${before}: </span><del>${shown(old, lang)}</del></dd>`}<dd><span class="hidden">${after}: </span><ins>${shown(now, lang)}</ins></dd></div>`,
  );
  return html`<dl class="${isNew ? 'is-new' : 'is-changed'}">${rows}</dl>`;
}

/** The kind of a record, what it is called, and where it belongs. */
function heading(writing: Writing, record: DiffRecord): Html {
  const { say, place } = writing;
  const kind = record.resource ? say(records[record.resource].label) : '';
  const name = textIn(place.language, record.name);
  const section = textIn(place.language, record.within);
  const where = section !== '' && say('import.inSection', { name: section });
  return html`<span class="kind">${kind}</span> ${name !== '' && html`<bdi>${name}</bdi>`} ${where && html`<span class="where">${where}</span>`}`;
}

const STATES = {
  created: 'import.isNew',
  updated: 'import.isChanged',
  restored: 'history.isBack',
  deleted: 'history.isGone',
  failed: 'import.failed',
} as const;

/** A new record without the fields that say nothing: empty ones, its place, and what every one has. */
function withoutNothing(record: DiffRecord): DiffRecord {
  const defaults = record.resource ? defaultsOf(records[record.resource]) : {};
  const said = Object.entries(record.changes).filter(
    ([name, [, now]]) =>
      name !== 'display_order' &&
      !isNothing(now) &&
      !(name in defaults && isSame(now, defaults[name])),
  );
  return { ...record, changes: Object.fromEntries(said) };
}

/** A record with what it was and is; of one that is gone, what it was is left out. */
export function diffRecord(writing: Writing, record: DiffRecord): Html {
  const { say } = writing;
  const isNew = record.outcome === 'created' || record.outcome === 'restored';
  const state = STATES[record.outcome];
  if (record.outcome === 'deleted') {
    return html`<li class="deleted"><h3>${heading(writing, record)} <span class="mark">${say(state)}</span></h3></li>`;
  }
  return html`<li class="${record.outcome}"><h3>${heading(writing, record)} <span class="mark">${say(state)}</span></h3>
${changeList(writing, linesOf(writing, isNew ? withoutNothing(record) : record), isNew)}</li>`;
}

/** Where a record stands in the file. */
function placeIn({ say }: Writing, { row, path }: DiffRecord): Content {
  return row === null ? path !== '' && html`<code>${path}</code>` : say('import.row', { n: row });
}

/** Records whose cells a page lets people correct. */
const CORRECTED = 50;

/** The controls that correct the cell of an error, and leave its row out. */
function cellControls(
  { say }: Writing,
  { row, sheet, at, column, value }: TableCell,
  form: string,
) {
  const key = sheet === undefined ? String(row) : `${sheet}!${row}`;
  const name = `cell.${key}.${at}`;
  const id = inputId(name);
  const input =
    at !== undefined &&
    html`<label for="${id}">${column}: ${say('import.correct')}</label><input type="hidden" form="${form}" name="was.${key}.${at}" value="${value}"><input id="${id}" type="text" form="${form}" name="${name}" value="${value}" autocomplete="off">`;
  const leave = inputId(`leave.${key}`);
  return html`<div class="correction field">${input}<div class="choice"><input type="checkbox" id="${leave}" form="${form}" name="leave.${key}" value="1"><label for="${leave}">${say('import.leaveRow', { n: row ?? '' })}</label></div></div>`;
}

/** @param form the id of the form that corrects cells; null where nothing is corrected here */
function failedRecord(writing: Writing, record: DiffRecord, form: string | null): Html {
  const rules = Object.entries(record.errors).flatMap(([field, list]) =>
    list.map((one) => ({ field, one })),
  );
  const items = rules.map(({ field, one }) => {
    const label = errorLabel(writing.say, record.resource, field);
    const value =
      one.cell !== undefined && one.cell.value !== '' && html` <q><bdi>${one.cell.value}</bdi></q>`;
    return html`<li>${label !== '' && html`<strong>${label}:</strong> `}${errorText(writing.say, one, field)}${value}</li>`;
  });
  const cells = new Map(
    rules.flatMap(({ one: { cell } }) => (cell ? [[`${cell.row}.${cell.at}`, cell] as const] : [])),
  );
  const controls =
    form !== null && [...cells.values()].map((cell) => cellControls(writing, cell, form));
  return html`<li><h3><span class="mark">${placeIn(writing, record)}</span> ${heading(writing, record)}</h3><ul>${items}</ul>${controls}</li>`;
}

function part(
  { say }: Writing,
  kind: string,
  title: string,
  items: readonly Html[],
  count: number,
  intro: Content = null,
  end: Content = null,
): Content {
  if (count === 0) return null;
  const rest = count - items.length;
  return html`<section class="card part diff ${kind}"><h2>${title} <span class="count">${count}</span></h2>${intro}
<ul>${items}</ul>
${rest > 0 && html`<p class="hint">${say('import.more', { n: rest })}</p>`}${end}</section>`;
}

/** How many records come to what. */
export function diffCounts({ say }: Writing, { counts }: ImportDiff): Html {
  const items = (['created', 'restored', 'updated', 'deleted', 'unchanged', 'failed'] as const).map(
    (name) => {
      const count = counts[name] ?? 0;
      const label = say(name === 'restored' ? 'history.restored' : `import.${name}`);
      const isShown = count > 0 || (name !== 'failed' && name !== 'restored');
      return isShown && html`<li class="${name}"><strong>${count}</strong> ${label}</li>`;
    },
  );
  return html`<ul class="counts">${items}</ul>`;
}

/**
 * The records that break rules, with the cells to correct.
 *
 * @param form the id of the form that reads a table again; null for a document
 */
export function failedView(
  writing: Writing,
  { counts, failed }: ImportDiff,
  form: string | null = null,
): Content {
  const { say } = writing;
  const items = failed.map((record, at) =>
    failedRecord(writing, record, at < CORRECTED ? form : null),
  );
  const hint = html`<p class="hint">${say(form === null ? 'import.errorsHint' : 'import.correctHint')}</p>`;
  const read =
    form !== null &&
    html`<div class="row"><button form="${form}" class="main" name="do" value="show">${say('import.readAgain')}</button></div>`;
  return part(writing, 'failed', say('import.errorsTitle'), items, counts.failed, hint, read);
}

/** The records that an import would delete and change. */
export function diffView(writing: Writing, { counts, ...diff }: ImportDiff): Html {
  const { say } = writing;
  const deleted = diff.deleted.map((record) => html`<li>${heading(writing, record)}</li>`);
  const changed = diff.changed.map((record) => diffRecord(writing, record));
  return html`${part(writing, 'deleted', say('import.deletedTitle'), deleted, counts.deleted)}
${part(writing, 'changed', say('import.changedTitle'), changed, counts.created + counts.updated + (counts.restored ?? 0))}`;
}
