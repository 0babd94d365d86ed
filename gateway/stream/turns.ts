/** Does something for each of many, a few in one turn of the event loop. */
export interface ItemTurns<T> {
  add(items: Iterable<T>): void;
  delete(item: T): void;
}

export function createItemTurns<T>(perTurn: number, act: (item: T) => void): ItemTurns<T> {
  const due = new Set<T>();
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || due.size === 0) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    isScheduled = false;
    let left = perTurn;
    for (const item of due) {
      if (left === 0) break;
      left -= 1;
      due.delete(item);
      act(item);
    }
    schedule();
  };
  return {
    add: (items) => {
      for (const item of items) due.add(item);
      schedule();
    },
    delete: (item) => void due.delete(item),
  };
}
