/** Nodes behind their parents, else in the order in which they came. A circle ends where it began. */
export function parentsFirst<T>(
  nodes: readonly T[],
  parentOf: (node: T) => T | undefined,
): readonly T[] {
  const ordered = new Set<T>();
  for (const node of nodes) {
    // From below.
    const path = new Set<T>();
    let next: T | undefined = node;
    while (next !== undefined && !ordered.has(next) && !path.has(next)) {
      path.add(next);
      next = parentOf(next);
    }
    for (const one of [...path].reverse()) ordered.add(one);
  }
  return [...ordered];
}
