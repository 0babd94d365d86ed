/** Names the answers of a restaurant to the operator's caches. */
export function cacheTag(tenantId: number): string {
  return `lavagna-${tenantId}`;
}
