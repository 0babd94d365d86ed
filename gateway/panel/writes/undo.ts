import type { PanelChange, UndoStep } from '../../../db/schema/panel-change.ts';
import { type Collection, isCollection } from '../../../db/schema/registry.ts';
import type { WriteResult } from '../../../db/schema/write.ts';
import { findWriteResults } from '../../../db/sql/write-results.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { type Saved, save } from './save.ts';
import { type Operation, type SavedMany, saveMany } from './save-many.ts';
import { asFailed, sendWrite, type TooMany } from './send-write.ts';
import { findTold, newFormId, redirectTelling, type Told } from './told.ts';

/** Operations that take a write of many records back, the last change first. */
function operationsBack(outcome: WriteResult['outcome']): Operation[] {
  if (outcome.kind !== 'bulk') return [];
  return outcome.results.toReversed().flatMap(({ resource, id: record, changes }) => {
    const pairs = Object.entries(changes);
    if (!resource || !isCollection(resource) || record === null || pairs.length === 0) return [];
    const side = (at: 0 | 1) => Object.fromEntries(pairs.map(([name, pair]) => [name, pair[at]]));
    return [{ resource: resource as Collection, id: record, data: side(0), expected: side(1) }];
  });
}

/** How the undo of an import ended. */
type ImportBack =
  | { kind: 'done' | 'waiting' | 'touched' | 'too-old' | 'full' | 'failed' }
  | TooMany;

/** Takes an import back as one write. The worker has kept what that needs. */
async function takeImportBack(desk: Desk, change: string, write: string): Promise<ImportBack> {
  const asked = {
    ...({ resource: 'menu', action: 'undo', record_id: null } as const),
    ...{ input: { write }, expected_tags: null, document: null },
  };
  const sent = await sendWrite(desk, asked, ['undo', change]).catch(asFailed);
  if ('kind' in sent) return sent;
  switch (sent.result?.outcome.kind) {
    case undefined:
      return { kind: 'waiting' };
    case 'bulk':
      return { kind: 'done' };
    case 'outdated_menu':
      return { kind: 'touched' };
    case 'missing':
      return { kind: 'too-old' };
    case 'invalid':
      return { kind: 'full' };
    default:
      return { kind: 'failed' };
  }
}

function takeBack(desk: Desk, change: string, step: UndoStep): Promise<Saved> {
  const { resource, action, record_id: recordId, input, if_match: ifMatch } = step;
  const write = { resource, action, recordId, input, ifMatch, key: ['undo', change] };
  return save(desk, write).catch(asFailed);
}

/** @returns `unfinished` while the write that is to be taken back waits itself */
async function takeAllBack(
  desk: Desk,
  change: string,
  write: string,
): Promise<SavedMany | ImportBack | { kind: 'unfinished' }> {
  const { db, request } = desk;
  const [found] = await findWriteResults(db, [{ tenantId: request.tenantId, id: write }]);
  if (!found) return { kind: 'too-old' };
  if (!found.result) return { kind: 'unfinished' };
  const { outcome } = found.result;
  if (outcome.kind === 'bulk' && outcome.diff) return takeImportBack(desk, change, write);
  const operations = operationsBack(outcome);
  if (operations.length === 0) return { kind: 'refused', refusals: [] };
  return saveMany(desk, operations, ['undo', change]);
}

const TOLD: Record<(Saved | SavedMany | ImportBack)['kind'] | 'unfinished', Told['text']> = {
  done: 'undone',
  unfinished: 'waiting',
  waiting: 'waiting',
  outdated: 'notUndone',
  invalid: 'notUndone',
  refused: 'notUndone',
  missing: 'notUndone',
  touched: 'importTouched',
  full: 'importFull',
  'too-old': 'tooOld',
  failed: 'failed',
  'too-many': 'failed',
};

async function undo(desk: Desk, id: string, { said, undo: [step] }: PanelChange): Promise<Answer> {
  const { path } = said;
  if (!step) return redirectAnswer(desk.request, path);
  const again = (text: Told['text']) =>
    redirectTelling(desk, [newFormId()], path, { text, undo: [step] });
  const { kind } =
    'write' in step ? await takeAllBack(desk, id, step.write) : await takeBack(desk, id, step);
  const text = TOLD[kind];
  const isOver = text !== 'failed' && kind !== 'unfinished';
  return isOver ? redirectTelling(desk, ['undo', id], path, { text }) : again(text);
}

/** `POST /admin/menu/undo`: takes a change back that no later change has touched. */
export async function undoChange(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const id = form.text('change');
  const told = await findTold(desk, id);
  if (!told) return redirectAnswer(request, '/admin/menu');
  if (!isOwnForm(request, form.text('form_token'))) {
    return redirectTelling(desk, [newFormId()], told.said.path, { text: 'stale' });
  }
  return undo(desk, id, told);
}
