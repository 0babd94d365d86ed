import type { Db } from '../../../db/postgres/connection.ts';
import type { Period } from '../../../db/sql/analytics/compare-counts.ts';
import type { Tenant } from '../../snapshots/loaded-snapshot.ts';
import type { ReportFigures, ReportName } from './report-schemas.ts';

/** What a report is made from. */
export interface ReportContext {
  db: Db;
  tenant: Pick<Tenant, 'id' | 'defaultLocale'>;
  period: Period;
  /** Longest list in the report, in entries. */
  limit: number;
}

/** The figures of a report; it reads roll-ups and the menu, never single events. */
export type Report<N extends ReportName = ReportName> = (
  context: ReportContext,
) => Promise<ReportFigures<N>>;
