import type { PagingMeta } from './envelope.ts';

/** What a paged list says about itself (SPEC, "`/items` `meta` fields"). */
export function pagingMeta(total: number, page: number, per_page: number): PagingMeta {
  return { total, page, per_page, last_page: Math.max(1, Math.ceil(total / per_page)) };
}
