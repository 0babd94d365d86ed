/** Bounds of whole menus, tables and workbooks, as part of those of `constants.ts`. */
export const documentConstants = {
  /** Longest body of a request with many operations or a whole menu, in bytes, and its parts. */
  maxDocumentBytes: 8 * 1_048_576,
  maxDocumentParts: 1_000_000,
  maxDocumentRecords: 20_000,
  /** How long planning a document may take, in ms: its restaurant's other writes wait meanwhile. */
  maxPlanTime: 20_000,
  /** Failures that a result lists, and the bytes of its errors and changes; it counts the rest. */
  maxListedFailures: 200,
  maxResultBytes: 262_144,
  /** Rows of a table of dishes, and the length of one of them in characters. */
  maxTableRows: 20_000,
  maxTableRowSize: 262_144,
  /**
   * Of the process that reads a workbook: its heap in MB, and what it may ask for beside the memory of
   * its start in MiB. Its CPU time in s, and its time by the clock in ms.
   */
  workbookHeapMb: 256,
  workbookMemoryMb: 448,
  workbookCpuSeconds: 15,
  workbookTime: 40_000,
  /** Limits of an import's diff: changed records, names of others, and bytes of JSON of each. */
  maxDiffRecords: 200,
  maxDiffNames: 1_000,
  maxDiffBytes: 262_144,
};

/** The constants of photos, as part of those of `constants.ts`. */
export const photoConstants = {
  /** Largest photo that is taken, in bytes. */
  maxPhotoBytes: 12 * 1_048_576,
  /** Largest form with photos: the browser sends several in one without JavaScript, in bytes. */
  maxPhotoFormBytes: 48 * 1_048_576,
  /** Widths in which photos are served, never larger than the original, in pixels. */
  photoWidths: [320, 640, 1280],
  /** How often a photo is tried again. */
  photoRetries: 2,
  /**
   * Memory that the process of photos may ask for beside what it has at its start, in MiB. With the
   * largest photos that are taken it asks for some 280.
   */
  photoMemoryMb: 352,
  /** Days after which a photo that nothing names is deleted. */
  unusedPhotoDays: 30,
  /** How long an upload is kept that no worker has finished, in hours. */
  uploadHours: 24,
  /** Uploads of one restaurant that may wait; the next one is answered with 503. */
  maxWaitingUploads: 500,
  /** How long a gateway serves a photo from memory before it looks whether it is still there, in ms. */
  mediaTtl: 60_000,
  /** Photos that a form of the panel offers, and that its list shows. */
  maxListedPhotos: 200,
  /** How long a gateway waits for a picture for shared links, in ms. */
  linkPreviewTimeout: 10_000,
  /** How often workers look for pictures of other sites that they have not looked at, in ms. */
  pictureLookInterval: 2_000,
  /** After so long a worker looks again at an address that showed no picture, in ms. */
  pictureLookAgain: 86_400_000,
  /** How long a gateway waits until the files of a photo are made, in ms. */
  uploadTimeout: 25_000,
};

/** Bounds of releases and of chains. */
export const releaseConstants = {
  /** Releases of a restaurant that are not over; as many of those that are over are kept. */
  maxReleases: 50,
  /** Operations of one release, and their length as JSON, in bytes. */
  maxReleaseOperations: 1_000,
  maxReleaseBytes: 262_144,
  /** Previews of a restaurant that a gateway draws in a minute. */
  maxPreviewsPerMinute: 120,
  /** How long a gateway waits until a worker has made a preview, in ms. */
  previewTimeout: 10_000,
};

/** The constants of restaurants' host names, as part of those of `constants.ts`. */
export const hostConstants = {
  /** Host names of a restaurant, those that wait to be proved among them. */
  maxHosts: 10,
};

/** The constants of webhooks, as part of those of `constants.ts`. */
export const webhookConstants = {
  maxWebhooks: 10,

  /** Pause between two looks for restaurants whose answers in caches are old, in ms. */
  purgeInterval: 500,
  /**
   * Versions younger than this are looked for again, in ms, as their transaction may commit later; and
   * purged a second time so long after the first, as a gateway may have answered before it had heard.
   */
  purgeOverlap: 60_000,
  purgeAgainAfter: 1_500,
  /** Pause between two looks for new versions and waiting deliveries, in ms. */
  webhookInterval: 1_000,
  /** The same after several in a row for versions that this worker has made, and after a failure. */
  webhookPause: 100,
  /** Deliveries are made for so many webhooks in a round. */
  webhooksPerRound: 500,
  /**
   * Receivers that a worker serves at the same time: at most so many that fail, so many of one
   * restaurant, and so many at one host.
   */
  webhooksAtOnce: 128,
  failingWebhooksAtOnce: 64,
  webhooksPerRestaurant: 4,
  webhooksPerHost: 4,
  /**
   * How long a receiver has to answer, and how long a worker sends to it before others come, in ms.
   * Another worker takes a receiver so long after an answer could have come: its own was killed.
   */
  webhookTimeout: 10_000,
  webhookTurn: 20_000,
  webhookAbandonedAfter: 5_000,
  /** First and longest pause before a message is sent again, in s; it doubles. */
  webhookRetrySeconds: 5,
  maxWebhookRetrySeconds: 900,
};

/** The constants of the turns of restaurants, as part of those of `constants.ts`. */
export const turnConstants = {
  /** Quick turns that a worker takes at the same time, and tenants that share one. */
  turnsInParallel: 2,
  tenantsPerTurn: 16,
  /** How long a slow turn lasts, in ms, before those that wait behind it are left to other workers. */
  slowTurn: 500,
  /** Writes after which a turn takes no further tenant: each has `maxWritesPerRebuild` at most. */
  writesPerTurn: 32,
  /** Records of a menu from which on the turns of its tenant are slow. */
  largeMenuRecords: 1_000,
  /** How often in a row a worker comes too late for a job before it leaves the work to others. */
  latesBeforeHold: 3,
  /** How long it waits then with its next look, at first and at most, in ms. */
  firstHold: 100,
  longestHold: 500,
  /** How long a job waits, in ms, before such a worker helps. */
  longWait: 50,
};
