import type { AcceptedEvent } from './event-columns.ts';

/** What a roll-up counts; `db/migrations/005_analytics.sql` says what the keys are. */
export type Scope =
  | 'total'
  | 'type'
  | 'hour'
  | 'locale'
  | 'item'
  | 'section'
  | 'allergen'
  | 'item_locale';

/** One cell of the roll-ups with the events that were added to it. */
export interface Count {
  tenantId: number;
  scope: Scope;
  day: string;
  key: string;
  /** The dish or section that must exist for the cell to be reported, else null. */
  itemId: number | null;
  categoryId: number | null;
  events: number;
}

/** A visitor seen in a cell. */
export interface Visit {
  count: Count;
  visitor: string;
}

/** Scopes of which nobody asks how many different visitors they had. */
const WITHOUT_VISITORS: ReadonlySet<Scope> = new Set(['type', 'item_locale']);

/** Which cells an event belongs to, by scope and key. */
function cellsOf(event: AcceptedEvent): [Scope, string][] {
  const cells: [Scope, string][] = [
    ['total', ''],
    ['type', event.type],
    ['hour', String(event.hour)],
    ['locale', event.locale ?? ''],
  ];
  if (event.type === 'item_view') {
    cells.push(['item', String(event.item_id)]);
    if (event.locale !== null) cells.push(['item_locale', `${event.item_id}/${event.locale}`]);
  }
  if (event.type === 'section_view') cells.push(['section', String(event.category_id)]);
  if (event.type === 'allergen_filter') cells.push(['allergen', event.allergen ?? '']);
  return cells;
}

/** Sums events up into the cells of the roll-ups and the visitors that were seen in each. */
export function rollUp(events: readonly AcceptedEvent[]): { counts: Count[]; visits: Visit[] } {
  const counts = new Map<string, Count>();
  const visits = new Map<string, Visit>();
  for (const event of events) {
    const { tenant_id: tenantId, day, visitor } = event;
    const place = `${tenantId} ${day} `;
    for (const [scope, key] of cellsOf(event)) {
      const name = `${place}${scope} ${key}`;
      let count = counts.get(name);
      if (!count) {
        const itemId = scope === 'item' || scope === 'item_locale' ? event.item_id : null;
        const categoryId = scope === 'section' ? event.category_id : null;
        count = { tenantId, scope, day, key, itemId, categoryId, events: 0 };
        counts.set(name, count);
      }
      count.events += 1;
      if (!WITHOUT_VISITORS.has(scope)) visits.set(`${name} ${visitor}`, { count, visitor });
    }
  }
  return { counts: [...counts.values()], visits: [...visits.values()] };
}
