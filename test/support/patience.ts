import type { Constants } from '../../db/runtime/constants.ts';

/** How long a gateway waits before it refuses a request: longer than the slowest machine needs. */
export const patience: Partial<Constants> = {
  readTimeout: 60_000,
  readStatementTimeout: 60_000,
  readConnectionTimeout: 60_000,
  eventTimeout: 60_000,
  sendStatementTimeout: 60_000,
  writeTimeout: 60_000,
  uploadTimeout: 60_000,
  previewTimeout: 60_000,
  linkPreviewTimeout: 60_000,
  limitWaitTimeout: 30_000,
  limitStatementTimeout: 60_000,
  // A test is one address, and opens hundreds of pages.
  maxPanelCost: 1_000_000,
  maxUncountedRequests: 1_000_000,
};

/** The same for a worker, whose statements and connections may take as long. */
export const workerPatience: Partial<Constants> = {
  workerStatementTimeout: 60_000,
  workerConnectionTimeout: 60_000,
  queueStateTimeout: 60_000,
};
