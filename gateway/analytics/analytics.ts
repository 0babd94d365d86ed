import type { PgBoss } from 'pg-boss';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createEventBudgets } from '../limits/event-budgets.ts';
import type { Authenticator } from '../pipeline/authenticate.ts';
import type { CallRoute } from '../pipeline/route.ts';
import { createEventWriter } from './event-writer.ts';
import { createIntakeRoute } from './intake.ts';
import { createReportRoutes } from './reports/routes.ts';
import { createVisitors } from './visitors.ts';

/** Numbers of events since the start. */
export interface EventCounts {
  /** Not yet committed. */
  pending: number;
  accepted: number;
  /** Requests refused because their restaurant had spent its EVENTS_PER_DAY. */
  refused: number;
}

/** The intake of events and the reports on them. */
export interface Analytics {
  routes: CallRoute[];
  events(): EventCounts;
  /** Commits what is pending; harmless when repeated. */
  stop(): Promise<void>;
}

export interface AnalyticsOptions {
  db: Database;
  /** Connections for reports alone: whoever else needs Postgres does not wait behind these. */
  reportDb: Database;
  /** Started. */
  boss: PgBoss;
  /** Events that one restaurant may store on one day. */
  eventsPerDay: number;
  authenticator: Authenticator;
  constants: Constants;
}

export function createAnalytics(options: AnalyticsOptions): Analytics {
  const { db, reportDb, boss, eventsPerDay, authenticator, constants } = options;
  const now = Date.now;
  const writer = createEventWriter(boss, constants);
  const visitors = createVisitors(db, now, constants);
  const budgets = createEventBudgets({ db, perDay: eventsPerDay, now, constants });
  let refused = 0;
  const onRefusal = () => {
    refused += 1;
  };
  return {
    routes: [
      createIntakeRoute({ writer, visitors, budgets, onRefusal, now, constants }),
      ...createReportRoutes({ db: reportDb, authenticator, now }),
    ],
    events: () => ({ ...writer.stats(), refused }),
    stop: writer.stop,
  };
}
