import { type Visibility, visibilityAt } from '../../db/schema/visibility.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';

/** From when and until when guests see a record; null where nothing ends it. */
type Span = [from: string | null, until: string | null];

/** The moments that a screen without network keeps by its own clock; records by their ids. */
export interface Moments {
  dishes: Record<number, Span>;
  sections: Record<number, Span>;
  /** When dishes are on sale again. */
  sold_out: Record<number, string>;
}

function isSeenWithin(record: Visibility, begin: Date, end: Date): boolean {
  return visibilityAt(record, begin) !== 'over' && visibilityAt(record, end) !== 'later';
}

/** The records that guests see at some moment of a span, seen at all of it, and their own spans. */
function lasting<R extends Visibility & { id: number }>(
  records: readonly R[],
  begin: Date,
  end: Date,
) {
  const visible = records.filter((one) => isSeenWithin(one, begin, end));
  const spans: Record<number, Span> = {};
  const all = visible.map((one) => {
    const { id, visible_from: from, visible_until: until } = one;
    if (from === null && until === null) return one;
    spans[id] = [from, until];
    return { ...one, visible_from: null, visible_until: null };
  });
  return { all, spans };
}

/**
 * A menu with all that guests see at some moment of a span, and these moments: for a screen that hears
 * of no version.
 */
export function lastingMenu(menu: StoredMenu, begin: Date, end: Date) {
  const sections = lasting(menu.sections, begin, end);
  const dishes = lasting(menu.dishes, begin, end);
  const ends = dishes.all.flatMap(({ id, is_sold_out, sold_out_until: until }) =>
    is_sold_out && typeof until === 'string' && !Number.isNaN(Date.parse(until))
      ? [[id, until] as const]
      : [],
  );
  return {
    menu: { ...menu, sections: sections.all, dishes: dishes.all },
    moments: {
      dishes: dishes.spans,
      sections: sections.spans,
      sold_out: Object.fromEntries(ends),
    },
  };
}
