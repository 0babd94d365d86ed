import type { Field } from '../../../db/schema/field.ts';
import {
  defaultsOf,
  type RecordType,
  type Row,
  toSent,
  toStored,
} from '../../../db/schema/record.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import { writtenRow } from '../../../db/schema/written-row.ts';
import { editableFields, type FormDraft, type FormPlace } from '../forms/draft.ts';
import { readFields } from '../forms/read-draft.ts';

/** A new record before anything was written: its defaults, without texts and a price. */
export function blankRow(record: RecordType): Row {
  const texts = Object.entries<Field>(record.fields).filter(([, field]) => field.isTranslated);
  return {
    ...{ id: 0, allergens: [] },
    ...Object.fromEntries(texts.map(([name]) => [`${name}_translations`, {}])),
    ...toStored(record, defaultsOf(record)),
    price: Number.NaN,
  };
}

/** The fields of a draft that the rules allow, as the body that would write them. */
function allowedInput(record: RecordType, draft: FormDraft, place: FormPlace): Row {
  const body = readFields(editableFields(record), draft, place);
  const checked = checkInput(record.change, body, place);
  if ('input' in checked) return checked.input;
  for (const path of Object.keys(checked.errors)) delete body[path.split('.')[0] ?? ''];
  const rest = checkInput(record.change, body, place);
  return 'input' in rest ? rest.input : {};
}

/** A record's row as a draft would leave it; fields that the rules refuse stay as they are. */
export function draftedRow(record: RecordType, row: Row, draft: FormDraft, place: FormPlace): Row {
  const sent = allowedInput(record, draft, place);
  const input = { ...sent, ...record.derive?.(sent, { ...toSent(record, row), ...sent }, row) };
  return { ...row, ...writtenRow(record, sent, input) };
}
