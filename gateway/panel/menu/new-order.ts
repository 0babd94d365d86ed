/** Something with a place among its siblings. */
export interface Placed {
  id: number;
  display_order: number;
}

/**
 * The places that change when one of `siblings` moves.
 *
 * @param siblings in their order
 * @param to its new index
 */
export function newOrder(siblings: readonly Placed[], id: number, to: number): Placed[] {
  const from = siblings.findIndex((one) => one.id === id);
  const moved = siblings[from];
  if (!moved || to < 0 || to >= siblings.length || to === from) return [];
  const rest = siblings.filter((one) => one !== moved);
  const list = [...rest.slice(0, to), moved, ...rest.slice(to)];
  let last = -1;
  const orders = siblings.map(({ display_order }) => {
    last = Math.max(display_order, last + 1);
    return last;
  });
  return list.flatMap((one, index) => {
    const display_order = orders[index] as number;
    return one.display_order === display_order ? [] : [{ id: one.id, display_order }];
  });
}
