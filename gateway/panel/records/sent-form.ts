import type { Form } from '../form.ts';
import { settleAllergens } from '../forms/contradictions.ts';
import type { Draft } from '../forms/draft.ts';
import { unpackDraft } from '../forms/record-form.ts';
import type { EditorState } from './record-page.ts';

/** A form of a record that was sent. */
export interface Sent {
  formId: string;
  /** The typed values. */
  own: Draft;
  /** The values when the form was opened. */
  base: Draft;
  etag: string;
  /** Another new record comes after this one. */
  isFollowed: boolean;
}

export function readSent(form: Form): Sent {
  const base = unpackDraft(form.secret('base'));
  const own = settleAllergens({ own: form.all(), base });
  const isFollowed = form.text('do') === 'save-next';
  return { formId: form.text('form_id'), own, base, etag: form.tag('etag'), isFollowed };
}

/** The page of a record with what was typed into its form. */
export function keepSent(state: EditorState, { own, base, etag }: Sent): EditorState {
  return state.base === null ? { ...state, draft: own } : { ...state, draft: own, base, etag };
}
