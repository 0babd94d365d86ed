import type { CallRoute } from '../../pipeline/route.ts';
import { allergens } from './allergens.ts';
import { insights } from './insights.ts';
import { items } from './items.ts';
import { overview } from './overview.ts';
import { createReportRoute, type Report, type ReportOptions } from './report.ts';
import type { ReportName } from './report-schemas.ts';
import { sections } from './sections.ts';

const REPORTS: { [N in ReportName]: Report<N> } = {
  overview,
  items,
  sections,
  allergens,
  insights,
};

/** The five reports below `/admin/analytics`. */
export function createReportRoutes(options: ReportOptions): CallRoute[] {
  return Object.entries(REPORTS).map(([name, report]) =>
    createReportRoute(name as ReportName, report, options),
  );
}
