import type { Constants } from '../../db/runtime/constants.ts';
import { isSharing } from './for-file.ts';

/** Why a file does not share the gateway, the worker and the database of its process. */
export interface OwnParts {
  /**
   * It ends a gateway or a worker, has an outage, counts what all restaurants do, or wants an empty
   * platform.
   */
  alone?: true;
  /** Of the gateway, as its process's environment would be. */
  env?: Record<string, string>;
  /** The same of the worker. */
  workerEnv?: Record<string, string>;
  /** Replaces constants of the gateway and the worker. */
  constants?: Partial<Constants>;
}

/** Whether a service with these parts is that of all files of the process. */
export const isShared = (own: OwnParts) => isSharing() && Object.keys(own).length === 0;
