import { constants } from '../../../db/runtime/constants.ts';
import type { BulkOutcome, Conflict, ImportDiff } from '../../../db/schema/bulk.ts';
import { isOfChain } from '../../../db/schema/chain-policy.ts';
import { records } from '../../../db/schema/registry.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { Change } from '../../../db/schema/version.ts';
import { findVersion, type HistoryEntry } from '../../../db/sql/history.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import type { Desk } from '../desk.ts';
import { isFormId, newFormId, readForm } from '../form.ts';
import { diffCounts, diffRecord, diffView, failedView } from '../import/diff-view.ts';
import { notice, onceFields } from '../pages/fields.ts';
import { momentText } from '../pages/moment.ts';
import { type PageState, titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { formPlace } from '../records/record-page.ts';
import { notFoundPage } from '../records/show-record.ts';
import { messageNotice, redirectTelling } from '../writes/message.ts';
import { asFailed, sendWrite } from '../writes/save.ts';
import { checkedText, entryPath, HISTORY_PATH, readNames, toDiffRecord, whoText } from './story.ts';

/** The part above an entry: a message, or the difference that bringing its menu back would make. */
interface Above extends PageState {
  conflicts?: readonly Conflict[];
  diff?: ImportDiff;
}

function actionForm({ request }: Desk, entry: HistoryEntry, action: string, text: string): Html {
  return html`<form method="post" action="${HISTORY_PATH}/${entry.head.version}">${onceFields(request)}
<input type="hidden" name="part" value="${entry.head.part}">
<button class="button" name="do" value="${action}">${text}</button></form>`;
}

/** Which fields somebody has changed since, and the button that takes the others back. */
function conflictPart(desk: Desk, entry: HistoryEntry, conflicts: readonly Conflict[]): Html {
  const { say } = desk;
  const changes: Change[] = JSON.parse(entry.changes ?? '[]');
  const items = conflicts.slice(0, constants.storyEntries).map((one) => {
    const { resource, id, field, version, at, actor } = one;
    const name = changes.find((change) => change.resource === resource && change.id === id)?.name;
    const label = field === null ? null : records[resource].fields[field]?.options.label;
    const what = [name ?? say(records[resource].label), label && say(label)]
      .filter(Boolean)
      .join(', ');
    return html`<li><a href="${HISTORY_PATH}/${version}"><bdi>${what}</bdi></a>: ${whoText(say, actor)}${at !== undefined && html`, <time datetime="${at}">${momentText(desk, new Date(at))}</time>`}</li>`;
  });
  const list = html`<ul>${items}</ul>${actionForm(desk, entry, 'undo-rest', say('history.undoRest'))}`;
  return notice('bad', say('history.conflicts', { n: conflicts.length }), list);
}

function diffPart(desk: Desk, entry: HistoryEntry, diff: ImportDiff): Html {
  const { say } = desk;
  const writing = { say, place: formPlace(desk) };
  const { counts } = diff;
  const isAny = counts.updated + counts.deleted + (counts.restored ?? 0) > 0;
  return html`<section class="card part summary"><h2>${say('history.bringBack')}</h2>${diffCounts(writing, diff)}
<p>${say(isAny ? 'import.notYet' : 'history.sameMenu')}</p>
${isAny && counts.failed === 0 && actionForm(desk, entry, 'restore', say('history.apply'))}</section>
${failedView(writing, diff)}${diffView(writing, diff)}`;
}

async function entryPage(desk: Desk, entry: HistoryEntry, above: Above = {}): Promise<Answer> {
  const { say } = desk;
  const { at, actor, origin } = entry.head;
  const all: Change[] = JSON.parse(entry.changes ?? '[]');
  const names = await readNames(desk, all);
  const writing = { say, place: formPlace(desk) };
  const shown = all
    .slice(0, constants.maxDiffRecords)
    .map((change) => diffRecord(writing, toDiffRecord(say, change, names)));
  const title = `${momentText(desk, at)}, ${whoText(say, actor)}`;
  const rest = all.length - shown.length;
  const how = [say(`history.origins.${origin}`), checkedText(say, entry.head)];
  const content = html`${above.conflicts ? conflictPart(desk, entry, above.conflicts) : null}
${above.diff ? diffPart(desk, entry, above.diff) : null}
<section class="card part diff changed"><h2>${say('history.changes')} <span class="count">${all.length}</span></h2>
${all.length === 0 ? html`<p class="hint">${say('history.nothing')}</p>` : html`<ul>${shown}</ul>`}
${rest > 0 && html`<p class="hint">${say('history.more', { n: rest })}</p>`}
<div class="row">${all.length > 0 && actionForm(desk, entry, 'undo', say('actions.undo'))}${!above.diff && actionForm(desk, entry, 'look', say('history.look'))}</div>
<p class="hint">${say('history.lookHint')}</p></section>`;
  return titledPage(desk, {
    state: { ...above, notice: above.notice ?? (await messageNotice(desk)) },
    ...{ title, way: [HISTORY_PATH, say('places.history')], place: 'history' },
    ...{ intro: how.filter(Boolean).join(' · '), content },
  });
}

/** The entry that a page's address names; its first one where it names no part. */
async function findEntry({ db, request, tenantId }: Desk, part: string) {
  const version = parseRecordId(request.context.param);
  if (version === null) return null;
  const found = await findVersion(db, tenantId, version);
  return found.find(({ head }) => String(head.part) === part) ?? found[0] ?? null;
}

/** `GET /admin/history/{version}`: what one write changed. */
export async function showEntry(desk: Desk): Promise<Answer> {
  const part = parseQuery(desk.request.context.query).get('part') ?? '';
  const entry = await findEntry(desk, part);
  return entry ? entryPage(desk, entry) : notFoundPage(desk);
}

/** Whether the chain decides something that an undo would have changed. */
function isBarred({ applied, results }: BulkOutcome): boolean {
  const rules = results.flatMap(({ errors }) => Object.values(errors).flat());
  return !applied && rules.some(({ rule }) => isOfChain(rule));
}

/** Says that the chain decides some fields, with the button that takes the others back. */
function barredPage(desk: Desk, entry: HistoryEntry): Promise<Answer> {
  const { say } = desk;
  const rest = actionForm(desk, entry, 'undo-rest', say('history.undoRest'));
  const message = notice('bad', say('chain.undoLocked'), rest);
  return entryPage(desk, entry, { status: '422 Unprocessable Content', notice: message });
}

const ACTIONS = ['undo', 'undo-rest', 'look', 'restore'] as const;

async function perform(
  desk: Desk,
  entry: HistoryEntry,
  asked: (typeof ACTIONS)[number],
  formId: string,
) {
  const { version, part } = entry.head;
  const isUndo = asked === 'undo' || asked === 'undo-rest';
  const input = {
    ...(isUndo ? { version, part } : { version }),
    ...(asked === 'undo-rest' && { skip_conflicts: true }),
    ...(asked === 'look' && { dry_run: true, diff: true, skip_conflicts: true }),
  };
  const action = isUndo ? 'undo' : 'restore';
  const way = { resource: 'menu', action, input } as const;
  const key = [formId, asked, version, part];
  const sent = await sendWrite(desk, way, key).catch(asFailed);
  const say = (text: Parameters<typeof redirectTelling>[3]['text'], path = entryPath(entry)) =>
    redirectTelling(desk, key, path, { text });
  if ('kind' in sent)
    return redirectTelling(desk, [newFormId()], entryPath(entry), { text: 'failed' });
  const { outcome } = sent;
  switch (outcome.kind) {
    case 'conflict':
      return entryPage(desk, entry, { status: '409 Conflict', conflicts: outcome.conflicts });
    case 'bulk':
      if (outcome.diff) return entryPage(desk, entry, { diff: outcome.diff });
      if (asked === 'undo' && isBarred(outcome)) return barredPage(desk, entry);
      if (!outcome.applied) return say('undoRefused');
      return say(isUndo ? 'undone' : 'menuRestored', HISTORY_PATH);
    case 'gone':
    case 'missing':
      return say('tooOld');
    default:
      return say('undoRefused');
  }
}

/** `POST /admin/history/{version}`: takes a write back, or brings the menu of its moment back. */
export async function changeBack(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const entry = await findEntry(desk, form.text('part'));
  if (!entry) return notFoundPage(desk);
  const formId = form.text('form_id');
  const asked = ACTIONS.find((one) => one === form.text('do'));
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(formId) || !asked) {
    return redirectTelling(desk, [newFormId()], entryPath(entry), { text: 'stale' });
  }
  return perform(desk, entry, asked, formId);
}
