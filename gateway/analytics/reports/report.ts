import type { Database, Db } from '../../../db/postgres/connection.ts';
import { successBody } from '../../../db/schema/envelope.ts';
import type { Period } from '../../../db/sql/analytics/compare-counts.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { guardRoute } from '../../pipeline/admin-route.ts';
import type { Authenticator } from '../../pipeline/authenticate.ts';
import { unavailable } from '../../pipeline/errors.ts';
import type { CallRoute } from '../../pipeline/route.ts';
import type { Tenant } from '../../snapshots/loaded-snapshot.ts';
import { readPeriod } from './period.ts';
import type { ReportFigures, ReportName } from './report-schemas.ts';

/** What a report is made from. */
export interface ReportContext {
  db: Db;
  tenant: Tenant;
  period: Period;
  /** Longest list in the report, in entries. */
  limit: number;
}

/** The figures of a report; it reads roll-ups and the menu, never single events. */
export type Report<N extends ReportName = ReportName> = (
  context: ReportContext,
) => Promise<ReportFigures<N>>;

export interface ReportOptions {
  db: Pick<Database, 'moment'>;
  authenticator: Authenticator;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** `GET /admin/analytics/{name}` (SPEC, "Admin endpoints"): scope `analytics:read`. */
export function createReportRoute(
  name: ReportName,
  report: Report,
  options: ReportOptions,
): CallRoute {
  const { db, authenticator, now } = options;
  return guardRoute(authenticator, {
    method: 'GET',
    path: `/analytics/${name}`,
    scope: 'analytics:read',
    call: async ({ tenant, query }) => {
      const { period, limit } = readPeriod(query, tenant.timezone, now());
      // Its figures are of one moment, whatever a worker adds meanwhile.
      const made = db.moment((moment) => report({ db: moment, tenant, period, limit }));
      const figures = await made.catch(unavailable(`could not make the report ${name}`));
      const { from, to } = period;
      const data = { from, to, timezone: tenant.timezone, ...figures };
      return jsonAnswer('200 OK', successBody(data));
    },
  });
}
