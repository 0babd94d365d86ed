/** Whether an address is one of the panel's pages, perhaps with a query, and leads nowhere else. */
export function isPanelPath(path: string): boolean {
  return /^\/admin(\/[\w-]+)*(\?[!-~]*)?$/.test(path);
}

/** The address of the page that a request asks for. */
export function addressOf({ path, query }: { path: string; query: string }): string {
  return query === '' ? path : `${path}?${query}`;
}
