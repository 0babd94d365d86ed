import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { WriteNotice } from '../../db/schema/notices.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { createPerformer, type PerformWrite } from './perform-write.ts';
import { createJobReader, type ReadJob } from './read-job.ts';
import { createResults } from './results.ts';
import { createSettler, type SettleWrite } from './settle-write.ts';
import { createSubmitter } from './submitter.ts';

/** Hands writes to the queue and tells what they came to. */
export interface Writes {
  perform: PerformWrite;
  settle: SettleWrite;
  readJob: ReadJob;
  /** Writes have been finished. */
  onWrites(notice: WriteNotice): void;
  /** Notices may have been missed. */
  reconcile(): void;
  stop(): void;
}

export interface WritesOptions {
  db: Database;
  boss: PgBoss;
  store: Pick<SnapshotStore, 'whenServed' | 'confirm'>;
  log: Logger;
  constants: Constants;
}

export function createWrites({ db, boss, store, log, constants }: WritesOptions): Writes {
  const results = createResults({ db, log, confirm: store.confirm, constants });
  const submitter = createSubmitter(boss, db, constants);
  const readJob = createJobReader(results, store, constants);
  const settle = createSettler({ submitter, results, store, constants });
  return {
    perform: createPerformer({ settle, submitter, readJob, constants }),
    settle,
    readJob,
    onWrites: results.onNotice,
    reconcile: results.reconcile,
    stop: results.stop,
  };
}
