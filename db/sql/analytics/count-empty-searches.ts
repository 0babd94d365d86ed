import { constants } from '../../runtime/constants.ts';
import { hasVisibleText } from '../../schema/validation/visible-text.ts';
import type { AcceptedEvent } from './event-columns.ts';

/** How often guests of a restaurant searched for a text on a day and found nothing. */
export interface EmptySearch {
  tenantId: number;
  day: string;
  /** Empty where the text has no visible character. */
  query: string;
  searches: number;
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
