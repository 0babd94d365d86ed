/** The numbers of our advisory locks; other programs in the database must not use them. */
export const advisoryLocks = {
  /** Of a session that migrates. */
  migrations: 4_921_077_310,
  /** Of a transaction that makes or drops partitions. */
  partitions: 4_921_077_311,
  /**
   * Of a transaction that adds to the counts more than once, which takes their rows in no order: two
   * who do would stand in each other's way, again and again.
   */
  counts: 7_305_003,
  /** Of the session of the worker that leads. */
  leader: 4_921_077_312,
};
