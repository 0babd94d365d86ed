import { parseRecordId } from '../../../db/schema/record-id.ts';
import type { Form } from '../form.ts';
import { readPrice } from '../forms/read-draft.ts';

/** The values that somebody has entered in a list of dishes. */
export interface Entered {
  /** The prices that the list showed, by the ids of their dishes. */
  shown: ReadonlyMap<number, number>;
  /** Those that were typed over, as they were typed. */
  prices: ReadonlyMap<number, string>;
  chosen: ReadonlySet<number>;
  /** Every dish of the list is meant, also those that it does not show. */
  isAll: boolean;
  /** The id of a section, as it was sent. */
  section: string;
  percent: string;
}

/** The values of an untouched list. */
export const NOTHING_ENTERED: Entered = {
  ...{ shown: new Map(), prices: new Map(), chosen: new Set() },
  ...{ isAll: false, section: '', percent: '' },
};

export function readEntered(form: Form): Entered {
  const shown = new Map<number, number>();
  const prices = new Map<number, string>();
  for (const [name, [value = '']] of form.all()) {
    const id = Number(/^price\.([1-9]\d{0,9})$/.exec(name)?.[1] ?? 0);
    if (id === 0) continue;
    const was = readPrice(form.text(`was.${id}`));
    shown.set(id, Number(was));
    if (readPrice(value) !== was) prices.set(id, value);
  }
  return {
    shown,
    prices,
    chosen: new Set(form.list('chosen').flatMap((text) => parseRecordId(text) ?? [])),
    isAll: form.text('all') === '1',
    section: form.text('section'),
    percent: form.text('percent'),
  };
}

/** The percentage that was entered; null when it is none that prices can be changed by. */
export function readPercent({ percent }: Entered): number | null {
  const text = percent.replace(/[\s%]/g, '').replace(/[−–]/g, '-').replace(',', '.');
  if (!/^[+-]?\d{1,3}(\.\d{1,2})?$/.test(text)) return null;
  const number = Number(text);
  return number >= -90 && number <= 500 && number !== 0 ? number : null;
}
