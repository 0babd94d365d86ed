import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { save } from '../writes/save.ts';
import { asFailed } from '../writes/send-write.ts';
import { sayTooMany } from '../writes/too-many.ts';
import type { Editor, EditorState } from './editor.ts';
import { recordPage } from './record-page.ts';
import { keepSent, type Sent } from './sent-form.ts';

/** The button of a wine's form that adds the winery whose name was typed. */
export const ADD_WINERY = 'add-winery';
export const NEW_WINERY = 'winery_id.new';

/** Adds a winery and shows the wine's form again: the winery is chosen, the wine is not saved yet. */
export async function addWinery(
  desk: Desk,
  editor: Editor,
  { state, sent, form }: { state: EditorState; sent: Sent; form: Form },
): Promise<Answer> {
  const { say } = desk.request;
  const kept = keepSent(state, sent);
  const name = form.text(NEW_WINERY);
  const saved = await save(desk, {
    ...{ resource: 'wineries', action: 'create', recordId: null, ifMatch: null },
    input: { name },
    key: [sent.formId, ADD_WINERY, name],
  }).catch(asFailed);
  switch (saved.kind) {
    case 'done': {
      const draft = new Map(kept.draft).set('winery_id', [String(saved.recordId)]);
      draft.delete(NEW_WINERY);
      const told = notice('good', say('told.added', { name }));
      return recordPage(desk, editor, { ...kept, draft, notice: told });
    }
    case 'invalid': {
      const errors = { [NEW_WINERY]: saved.errors.name ?? say('rules.required') };
      return recordPage(desk, editor, { ...kept, status: '422 Unprocessable Content', errors });
    }
    case 'too-many':
      return recordPage(desk, editor, { ...kept, ...sayTooMany(desk, saved) });
    default: {
      const told = notice('bad', say('editor.unavailable'));
      const status = '503 Service Unavailable';
      return recordPage(desk, editor, { ...kept, status, notice: told });
    }
  }
}
