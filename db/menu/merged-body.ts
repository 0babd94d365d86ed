import type { Field } from '../schema/field.ts';
import { documentValue, type RecordType, storedName } from '../schema/record.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { textsIn } from '../schema/values/locale.ts';
import { isObject, type Row, rowsIn } from '../schema/values/row.ts';
import type { MenuRow } from '../sql/menus.ts';

/** Whether a body says of a text what it is already, so that nothing of it has to be checked. */
function isPresent(field: Field, sent: unknown, present: unknown): boolean {
  // A note that is not sent may go with another field.
  if (!isObject(sent) || field.options.isAvailability) return false;
  const texts: Row = textsIn(present);
  return Object.keys(sent).every((locale) => sent[locale] === texts[locale]);
}

/** A text with the languages that a body leaves out; null takes one away. A plain text is new. */
function mergedTexts(sent: unknown, present: unknown): unknown {
  if (!isObject(sent)) return sent;
  const merged = { ...textsIn(present), ...sent };
  return Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== null));
}

/** Whether a body changes single objects of a list, which it names by keys and not by labels. */
function isPartial(sent: unknown): sent is Row[] {
  return (
    Array.isArray(sent) &&
    sent.length > 0 &&
    sent.every(
      (row) => isObject(row) && typeof row.external_id === 'string' && row.label === undefined,
    )
  );
}

/** A list in which the objects with the keys of a body have its parts. An unknown key is a mistake. */
function mergedRows(field: Field, sent: readonly Row[], present: unknown): Row[] {
  const byKey = new Map(sent.map((row) => [row.external_id, row]));
  const rows = rowsIn(documentValue(field, present)).map((row) => {
    const own = byKey.get(row.external_id);
    byKey.delete(row.external_id);
    return own ? { ...row, ...own } : row;
  });
  return [...rows, ...byKey.values()];
}

/**
 * A body with the values of its record that it leaves as they are: the other languages of a text, and
 * the other objects of a list that it names by keys. Texts that it repeats are left out.
 */
export function mergedBody({ fields }: RecordType, body: Input, current: MenuRow): Input {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, sent]) => {
      const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field?.isTranslated) {
        const present = current[storedName(name, field)];
        return isPresent(field, sent, present) ? [] : [[name, mergedTexts(sent, present)]];
      }
      const isKeyed = field?.parts !== undefined && 'external_id' in field.parts;
      return [[name, isKeyed && isPartial(sent) ? mergedRows(field, sent, current[name]) : sent]];
    }),
  );
}
