/** The constants of webhooks, as part of those of `constants.ts`. */
export const webhookConstants = {
  /** Webhooks of a restaurant, and deliveries of one that are listed. */
  maxWebhooks: 10,
  maxListedDeliveries: 100,
  /** Length of a secret, and for how many hours the one before signs as well. */
  webhookSecretBytes: 32,
  formerSecretHours: 24,
  /** Pause between two looks for new versions and waiting deliveries, in ms. */
  webhookInterval: 1_000,
  /** Deliveries are made for so many webhooks in a round, and of so many versions in a transaction. */
  webhooksPerRound: 500,
  webhookVersions: 100,
  /** Longest changes of an entry in a message, in characters; beyond it the receiver asks the API. */
  maxWebhookChanges: 262_144,
  /** Receivers that a worker serves at the same time. */
  webhooksAtOnce: 16,
  /** Pause between two polls for jobs whose notice was lost, in s. */
  webhookPollSeconds: 10,
  /** How long a receiver has to answer, and how long one job sends to it, in ms. */
  webhookTimeout: 10_000,
  webhookTurn: 20_000,
  /** First and longest pause before a message is sent again, in s; it doubles. */
  webhookRetrySeconds: 5,
  maxWebhookRetrySeconds: 6 * 3_600,
  /** A webhook that has failed for so long is switched off, in ms. */
  webhookGiveUpAfter: 3 * 86_400_000,
  /** Days for which deliveries are kept that do not wait. */
  deliveryDays: 30,
};
