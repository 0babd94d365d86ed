/**
 * A bounded amount of something; requests hold parts of it for a while.
 *
 * @param most that all holders together may have
 * @param mostOfOne that one of them may have
 */
export function createShares<Holder>(most: number, mostOfOne: number) {
  let taken = 0;
  const takenBy = new Map<Holder, number>();
  return {
    /** Whether `amount` more could be had; when not, nothing is taken. */
    take: (holder: Holder, amount: number) => {
      const own = (takenBy.get(holder) ?? 0) + amount;
      if (taken + amount > most || own > mostOfOne) return false;
      taken += amount;
      takenBy.set(holder, own);
      return true;
    },
    give: (holder: Holder, amount: number) => {
      const own = (takenBy.get(holder) ?? 0) - amount;
      taken -= amount;
      if (own > 0) takenBy.set(holder, own);
      else takenBy.delete(holder);
    },
  };
}
