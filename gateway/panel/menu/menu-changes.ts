import type { Translations } from '../../../db/schema/locale.ts';
import type { Row } from '../../../db/schema/record.ts';
import type { AdminRecord } from '../../../db/sql/menu/admin-record.ts';
import type { Form } from '../form.ts';
import { readPrice } from '../forms/read-draft.ts';

/** A change of one dish or section, with what takes it back. */
export interface ListChange {
  resource: 'items' | 'categories';
  id: number;
  name: string;
  input: Row;
  undo: Row;
  ifMatch: string | null;
  /** What it is, apart from what it makes of the record. */
  key: readonly unknown[];
}

type Variant = { label_translations: Translations; price: number };

function toCents(price: number, percent: number): number {
  return Math.round(price * (100 + percent)) / 100;
}

function soldOutOf({ sold_out_until, is_sold_out }: Row): unknown {
  return sold_out_until ?? (is_sold_out === true ? 'indefinitely' : null);
}

function sizes(data: Row, price: (before: number) => number) {
  return ((data.variants ?? []) as Variant[]).map(({ label_translations, price: before }) => ({
    label: label_translations,
    price: price(before),
  }));
}

/** What an action of a list makes of a dish, and what it was before. */
export function applyAction(
  action: string,
  data: Row,
  form: Form,
): { input: Row; undo: Row } | null {
  switch (action) {
    case 'show':
    case 'hide':
      return { input: { is_active: action === 'show' }, undo: { is_active: data.is_active } };
    case 'sold-out':
    case 'available': {
      const until = action === 'sold-out' ? 'indefinitely' : null;
      return { input: { sold_out_until: until }, undo: { sold_out_until: soldOutOf(data) } };
    }
    case 'move': {
      const { category_id, type_id } = data;
      return { input: { category_id: form.text('section') }, undo: { category_id, type_id } };
    }
    case 'percent': {
      const percent = readPercent(form) ?? 0;
      if (((data.variants ?? []) as Variant[]).length > 0) {
        return {
          input: { variants: sizes(data, (price) => toCents(price, percent)) },
          undo: { variants: sizes(data, (price) => price) },
        };
      }
      const price = Number(data.price);
      return { input: { price: toCents(price, percent) }, undo: { price } };
    }
    default:
      return null;
  }
}

/** The percentage of a form; null when it is none that prices can be changed by. */
export function readPercent(form: Form): number | null {
  const text = form.text('percent').replace(/[\s%]/g, '').replace(/[−–]/g, '-').replace(',', '.');
  if (!/^[+-]?\d{1,3}(\.\d{1,2})?$/.test(text)) return null;
  const percent = Number(text);
  return percent >= -90 && percent <= 500 && percent !== 0 ? percent : null;
}

/** The prices that somebody has typed over, by the ids of their dishes. */
export function typedPrices(form: Form): Map<number, { price: string; etag: string }> {
  const typed = new Map<number, { price: string; etag: string }>();
  for (const [name, [value = '']] of form.all()) {
    const id = Number(/^price\.([1-9]\d{0,9})$/.exec(name)?.[1] ?? 0);
    if (id === 0) continue;
    const price = readPrice(value);
    if (price !== readPrice(form.text(`was.${id}`))) {
      typed.set(id, { price, etag: form.tag(`etag.${id}`) });
    }
  }
  return typed;
}

export function changeOf(
  dish: AdminRecord,
  name: string,
  change: { input: Row; undo: Row },
  key: readonly unknown[],
  ifMatch: string | null = null,
): ListChange {
  return { resource: 'items', id: dish.id, name, ...change, ifMatch, key };
}
