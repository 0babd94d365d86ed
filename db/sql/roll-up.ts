import { constants } from '../runtime/constants.ts';
import type { AcceptedEvent } from '../schema/event.ts';
import { hasVisibleText } from '../schema/validation/safe-text.ts';
import { ALL_LOCALES, LOCALES } from '../schema/values/locale.ts';
import type { CountScope, EmptySearch, KnownRecords, RollUpCount, VisitorOfDay } from './counts.ts';

/** Scopes whose different visitors no report counts. */
const WITHOUT_VISITORS: ReadonlySet<CountScope> = new Set(['type']);

/** The scopes and keys under which an event is counted; an unknown dish or section has none. */
function countKeysOf(event: AcceptedEvent, known: KnownRecords): [CountScope, string][] {
  const { tenant_id, type, item_id, category_id, locale } = event;
  const cells: [CountScope, string][] = [
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

const locales: readonly (string | null)[] = ALL_LOCALES;
const isLocale = (cell: string) => cell.startsWith('locale/');

function addTo(count: RollUpCount, event: AcceptedEvent): void {
  count.events += 1;
  const position = locales.indexOf(event.locale);
  if (count.byLocale && position >= 0) {
    while (count.byLocale.length < position) count.byLocale.push(0);
    count.byLocale[position] = (count.byLocale[position] ?? 0) + 1;
  }
}

/** Sums events up into the cells of the roll-ups and the visitors that were seen in each. */
export function rollUp(events: readonly AcceptedEvent[], known: KnownRecords) {
  const counts = new Map<string, RollUpCount>();
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
      // Of its languages the first one counts: the others have events, and no visitor.
      const isLater = scope === 'locale' && [...visit.cells].some(isLocale);
      if (!WITHOUT_VISITORS.has(scope) && !isLater) visit.cells.add(cell);
    }
  }
  return { counts: [...counts.values()], visits: [...visits.values()] };
}

/** A search text in the form in which it is counted: many ways to type it are one. */
function countedText(query: string): string {
  const text = query
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ');
  const kept = [...text.trim()].slice(0, constants.maxEmptySearchLength).join('').trimEnd();
  return hasVisibleText(kept) ? kept : '';
}

/** Sums up the searches that found nothing, by restaurant, day and text. */
export function countEmptySearches(events: readonly AcceptedEvent[]): EmptySearch[] {
  const found = new Map<string, EmptySearch>();
  for (const { type, results, query, tenant_id: tenantId, day } of events) {
    if (type !== 'search' || results !== 0) continue;
    const text = countedText(query ?? '');
    const key = `${tenantId} ${day} ${text}`;
    const search = found.get(key) ?? { tenantId, day, query: text, searches: 0 };
    search.searches += 1;
    found.set(key, search);
  }
  return [...found.values()];
}
