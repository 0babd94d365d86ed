/** The drills, in the order of a run. */
export const DRILL_NAMES: readonly string[] = [
  ...['kill', 'cut', 'switchover', 'quorum', 'pgbouncer', 'haproxy'],
];
