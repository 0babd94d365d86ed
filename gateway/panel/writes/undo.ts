import type { UndoStep } from '../../../db/schema/panel-change.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../visit.ts';
import { type PageWrite, type Saved, save } from './save.ts';
import { findTold, newFormId, redirectTelling, type Told } from './told.ts';

/** Saves several writes, which the queue takes in their order. */
export function saveAll(desk: Desk, writes: readonly PageWrite[]): Promise<Saved[]> {
  return Promise.all(writes.map((write) => save(desk, write)));
}

function toWrite(change: string, step: UndoStep, index: number): PageWrite {
  const { resource, action, record_id: recordId, input, if_match: ifMatch } = step;
  return { resource, action, recordId, input, ifMatch, key: ['undo', change, index] };
}

function tell(saved: readonly Saved[]): Told {
  if (saved.some(({ kind }) => kind === 'waiting')) return { text: 'waiting' };
  if (saved.every(({ kind }) => kind === 'done')) return { text: 'undone' };
  return { text: 'notUndone' };
}

/** `POST /admin/menu/undo`: takes a change back that no later change has touched. */
export async function undoChange(desk: Desk): Promise<Answer> {
  const { visit, domain } = desk;
  const form = await readForm(visit.context);
  const change = form.text('change');
  const told = await findTold(desk, change);
  if (!told) return redirectAnswer(visit, '/admin/menu');
  const { path } = told.said;
  if (!isOwnForm(visit, form.text('form_token'), domain)) {
    return redirectTelling(desk, [newFormId()], path, { text: 'stale' });
  }
  const saved = await saveAll(
    desk,
    told.undo.map((step, index) => toWrite(change, step, index)),
  );
  return redirectTelling(desk, ['undo', change], path, tell(saved));
}
