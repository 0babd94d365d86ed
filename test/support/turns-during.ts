/** Counts the turns of the event loop until `work` is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  try {
    await work;
    return turns;
  } finally {
    isDone = true;
  }
}
