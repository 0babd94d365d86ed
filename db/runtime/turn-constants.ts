/** The constants of the turns in which writes are done, as part of those of `constants.ts`. */
export const turnConstants = {
  /**
   * Pause between two looks for writes whose job is lost, and how long such writes have waited, in ms.
   * A look sends jobs for so many tenants.
   */
  forgottenWritesInterval: 10_000,
  forgottenWriteAge: 15_000,
  forgottenTenantsPerRound: 100,
  /** Turns in which a worker does announced writes at the same time, and tenants that share one. */
  turnsInParallel: 3,
  tenantsPerTurn: 16,
  /** Writes after which a turn takes no further tenant: each has `maxWritesPerRebuild` at most. */
  writesPerTurn: 32,
  /** Turns at the same time of tenants whose writes take long, each of one tenant. */
  longTurnsInParallel: 1,
  /** Records of a menu from which on the writes of its tenant take long. */
  largeMenuRecords: 1_000,
  /** Writes that have waited for so long are done by a worker that does not lead, in ms. */
  lateWriteAge: 250,
  /** How long that worker then does the tenant's writes at once, in ms. */
  claimTime: 10_000,
  /** Jobs of writes that a worker takes from the queue in one step, and such steps at the same time. */
  writeJobsPerStep: 100,
  writeStepsInParallel: 2,
  /** How long announced writes have before the queue hands out their job, in s. */
  writeJobDelaySeconds: 2,
  /** How long the sender of a job may count on it, and send none for further writes, in ms. */
  writeJobReliedOn: 1_500,
};
