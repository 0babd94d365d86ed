import type { PgBoss } from 'pg-boss';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Authenticator } from '../pipeline/authenticate.ts';
import type { CallRoute } from '../pipeline/route.ts';
import { createEventWriter } from './event-writer.ts';
import { createIntakeRoute } from './intake.ts';
import { createReportRoutes } from './reports/routes.ts';
import { createVisitors } from './visitors.ts';

/** The intake of events and the reports on them. */
export interface Analytics {
  routes: CallRoute[];
  /** Events that are not yet committed, and those that were since the start. */
  events(): { pending: number; accepted: number };
  /** Commits what is pending; harmless when repeated. */
  stop(): Promise<void>;
}

export interface AnalyticsOptions {
  db: Database;
  /** Connections for reports alone: whoever else needs Postgres does not wait behind these. */
  reportDb: Database;
  /** Started. */
  boss: PgBoss;
  authenticator: Authenticator;
  constants: Constants;
}

export function createAnalytics(options: AnalyticsOptions): Analytics {
  const { db, reportDb, boss, authenticator, constants } = options;
  const now = Date.now;
  const writer = createEventWriter(boss, constants);
  const visitors = createVisitors(db, now, constants);
  return {
    routes: [
      createIntakeRoute({ writer, visitors, now, constants }),
      ...createReportRoutes({ db: reportDb, authenticator, now }),
    ],
    events: writer.stats,
    stop: writer.stop,
  };
}
