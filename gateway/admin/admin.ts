import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { WriteNotice } from '../../db/schema/notices.ts';
import { guardRoute } from '../pipeline/admin-route.ts';
import type { Authenticator } from '../pipeline/authenticate.ts';
import type { CallRoute } from '../pipeline/route.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { createJobReader, createJobRoute } from './job-route.ts';
import { createReadRoutes } from './read-routes.ts';
import { createResults } from './results.ts';
import { createSubmitter } from './submitter.ts';
import { createWriteRoutes } from './write-routes.ts';

/** The part of the admin API that reads and writes the menu. */
export interface Admin {
  routes: CallRoute[];
  /** Writes have been finished. */
  onWrites(notice: WriteNotice): void;
  /** Notices may have been missed. */
  reconcile(): void;
  stop(): void;
}

export interface AdminOptions {
  db: Database;
  boss: PgBoss;
  store: Pick<SnapshotStore, 'whenServed' | 'confirm'>;
  authenticator: Authenticator;
  log: Logger;
  constants: Constants;
}

export function createAdmin(options: AdminOptions): Admin {
  const { db, boss, store, authenticator, log, constants } = options;
  const results = createResults({ db, log, confirm: store.confirm, constants });
  const submitter = createSubmitter(boss, db, constants);
  const readJob = createJobReader(results, store, constants);
  const routes = [
    ...createWriteRoutes({ submitter, results, store, readJob, constants }),
    ...createReadRoutes(db),
    createJobRoute(readJob),
  ];
  return {
    routes: routes.map((route) => guardRoute(authenticator, route)),
    onWrites: results.onNotice,
    reconcile: results.reconcile,
    stop: results.stop,
  };
}
