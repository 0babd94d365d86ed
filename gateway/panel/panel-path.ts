/** Whether a path is one of the panel's pages, and nothing that leads elsewhere. */
export function isPanelPath(path: string): boolean {
  return /^\/admin(\/[\w-]+)*$/.test(path);
}
