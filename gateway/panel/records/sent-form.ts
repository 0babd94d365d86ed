import type { Form } from '../form.ts';
import { settleAllergens } from '../forms/contradictions.ts';
import { type FormDraft, withFieldsOf } from '../forms/draft.ts';
import { unpackDraft } from '../forms/record-form.ts';
import type { EditorState } from './editor.ts';

export type Sent = ReturnType<typeof readSent>;

/** An input of an object of a list: the list, its number and the part. */
const OF_ROW = /^(\w+)\.(\d+)\.(.+)$/;

/** A draft without empty objects between others: an error names the row that the page shows. */
function closeGaps(draft: FormDraft): FormDraft {
  const used = new Map<string, Set<number>>();
  for (const [name, values] of draft) {
    const [, list = '', index] = OF_ROW.exec(name) ?? [];
    if (index === undefined || values.every((value) => value.trim() === '')) continue;
    used.set(list, (used.get(list) ?? new Set()).add(Number(index)));
  }
  const places = new Map(
    [...used].flatMap(([list, rows]) =>
      [...rows]
        .sort((a, b) => a - b)
        .map((row, place): [string, number] => [`${list}.${row}`, place]),
    ),
  );
  return new Map(
    [...draft].flatMap(([name, values]): [string, readonly string[]][] => {
      const [, list, index, part] = OF_ROW.exec(name) ?? [];
      if (index === undefined) return [[name, values]];
      const place = places.get(`${list}.${index}`);
      return place === undefined ? [] : [[`${list}.${place}.${part}`, values]];
    }),
  );
}

export function readSent(form: Form) {
  /** The values when the form was opened. */
  const base = unpackDraft(form.secret('base'));
  // Browsers do not send the fields that the form shows and the chain decides.
  const typed = withFieldsOf(closeGaps(form.all()), base, new Set(form.list('kept')));
  /** The typed values. */
  const own = settleAllergens({ own: typed, base });
  /** The section of another new record, where a button names it; undefined for this one's. */
  const [action, nextSection] = form.text('do').split(/:(.*)/s);
  /** Another new record comes after this one. */
  const isFollowed = action === 'save-next';
  const etag = form.tag('etag');
  return { formId: form.text('form_id'), own, base, etag, isFollowed, nextSection };
}

/** The page of a record with what was typed into its form. */
export function keepSent(state: EditorState, { own, base, etag }: Sent): EditorState {
  return state.base === null ? { ...state, draft: own } : { ...state, draft: own, base, etag };
}
