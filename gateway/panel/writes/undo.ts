import type { PanelChange } from '../../../db/schema/write.ts';
import { findEntryOfJob } from '../../../db/sql/history.ts';
import { findWriteResults } from '../../../db/sql/write-results.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { asFailed, sendWrite } from './send-write.ts';
import { findTold, newFormId, redirectTelling, type Told } from './told.ts';

/** Takes a write back, and says what it came to. */
async function takeBack(desk: Desk, change: string, write: string): Promise<Told> {
  const { db, request } = desk;
  const { tenantId } = request;
  const entry = await findEntryOfJob(db, tenantId, write);
  if (!entry) {
    const [found] = await findWriteResults(db, [{ tenantId, id: write }]);
    const isWaiting = found !== undefined && !found.result;
    return isWaiting ? { text: 'waiting', undo: write } : { text: 'tooOld' };
  }
  const asked = { resource: 'menu', action: 'undo', record_id: null, input: entry } as const;
  const way = { ...asked, expected_tags: null, document: null };
  const sent = await sendWrite(desk, way, ['undo', change]).catch(asFailed);
  if ('kind' in sent) return { text: 'failed', undo: write };
  const outcome = sent.result?.outcome;
  switch (outcome?.kind) {
    case undefined:
      return { text: 'waiting' };
    case 'bulk':
      return outcome.applied ? { text: 'undone' } : { text: 'undoRefused' };
    case 'conflict':
      return { text: 'notUndone' };
    case 'invalid':
      return { text: 'undoRefused' };
    case 'gone':
    case 'missing':
      return { text: 'tooOld' };
    default:
      return { text: 'failed', undo: write };
  }
}

async function undo(desk: Desk, id: string, { said, undo: step }: PanelChange): Promise<Answer> {
  const { path } = said;
  if (!step) return redirectAnswer(desk.request, path);
  const told = await takeBack(desk, id, step.write);
  return redirectTelling(desk, told.undo ? [newFormId()] : ['undo', id], path, told);
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
