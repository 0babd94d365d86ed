import { LOCALES } from '../../schema/locale.ts';
import type { AcceptedEvent } from './event-columns.ts';

/** The counts that a roll-up keeps; `db/migrations/005_analytics.sql` explains the keys. */
export type Scope = 'total' | 'type' | 'hour' | 'locale' | 'item' | 'section' | 'allergen';

/** One cell of the roll-ups with the events that were added to it. */
export interface Count {
  tenantId: number;
  scope: Scope;
  day: string;
  key: string;
  events: number;
  /** Of a dish only: its events by the reader's language, in the order of `LOCALES`. */
  byLocale: number[] | null;
}

/** A visitor of a day with the cells in which it was seen, each as `<scope>/<key>`. */
export interface VisitorOfDay {
  tenantId: number;
  day: string;
  visitor: string;
  cells: Set<string>;
}

/** The dishes and sections that tenants have or had, each as `<tenant>/<id>`. */
export interface KnownRecords {
  dishes: ReadonlySet<string>;
  sections: ReadonlySet<string>;
}

/** Scopes whose different visitors no report counts. */
const WITHOUT_VISITORS: ReadonlySet<Scope> = new Set(['type']);

/** The scopes and keys under which an event is counted; an unknown dish or section has none. */
function countKeysOf(event: AcceptedEvent, known: KnownRecords): [Scope, string][] {
  const { tenant_id, type, item_id, category_id, locale } = event;
  const cells: [Scope, string][] = [
    ['total', ''],
    ['type', type],
    ['hour', String(event.hour)],
    ['locale', locale ?? ''],
  ];
  if (type === 'item_view' && known.dishes.has(`${tenant_id}/${item_id}`)) {
    cells.push(['item', String(item_id)]);
  }
  if (type === 'section_view' && known.sections.has(`${tenant_id}/${category_id}`)) {
    cells.push(['section', String(category_id)]);
  }
  if (type === 'allergen_filter') cells.push(['allergen', event.allergen ?? '']);
  return cells;
}

function addTo(count: Count, event: AcceptedEvent): void {
  count.events += 1;
  const position = (LOCALES as readonly (string | null)[]).indexOf(event.locale);
  if (count.byLocale && position >= 0) {
    count.byLocale[position] = (count.byLocale[position] ?? 0) + 1;
  }
}

/** Sums events up into the cells of the roll-ups and the visitors that were seen in each. */
export function rollUp(
  events: readonly AcceptedEvent[],
  known: KnownRecords,
): { counts: Count[]; visits: VisitorOfDay[] } {
  const counts = new Map<string, Count>();
  const visits = new Map<string, VisitorOfDay>();
  for (const event of events) {
    const { tenant_id: tenantId, day, visitor } = event;
    const place = `${tenantId} ${day} `;
    let visit = visits.get(place + visitor);
    if (!visit) {
      visit = { tenantId, day, visitor, cells: new Set() };
      visits.set(place + visitor, visit);
    }
    for (const [scope, key] of countKeysOf(event, known)) {
      const cell = `${scope}/${key}`;
      let count = counts.get(place + cell);
      if (!count) {
        const byLocale = scope === 'item' ? LOCALES.map(() => 0) : null;
        count = { tenantId, scope, day, key, events: 0, byLocale };
        counts.set(place + cell, count);
      }
      addTo(count, event);
      if (!WITHOUT_VISITORS.has(scope)) visit.cells.add(cell);
    }
  }
  return { counts: [...counts.values()], visits: [...visits.values()] };
}
