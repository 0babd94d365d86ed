import {
  compareCounts,
  findDailyTotals,
  sumCounts,
  sumItemLocales,
} from '../../../../db/sql/counts.ts';
import type { Report } from '../report.ts';
import type { Figures } from '../report-schemas.ts';
import type { Evidence } from './finding.ts';
import { findMissingTranslations, findNarrowAllergens, findNeverViewed } from './gaps.ts';
import { findBusiestHour, findBusiestWeekday } from './rhythm.ts';
import { sayFinding } from './texts.ts';
import { findTrends, findVisitorsChange } from './trends.ts';

/** Everything that is looked for, in the order in which it is told. */
const SEARCHES: ((evidence: Evidence) => Figures[])[] = [
  findVisitorsChange,
  findTrends,
  findMissingTranslations,
  findNarrowAllergens,
  findNeverViewed,
  findBusiestHour,
  findBusiestWeekday,
];

/** Findings in plain words of the restaurant's language, with the figures behind them. */
export const insights: Report<'insights'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, days, hours, items, readers, allergens] = await Promise.all([
    loadMenu(),
    findDailyTotals(db, tenant.id, period),
    sumCounts(db, tenant.id, 'hour', period),
    compareCounts(db, tenant.id, 'item', period),
    sumItemLocales(db, tenant.id, period),
    sumCounts(db, tenant.id, 'allergen', period),
  ]);
  const evidence = { menu, from: period.from, days, hours, items, readers, allergens };
  const findings = SEARCHES.flatMap((search) => search(evidence)).slice(0, limit);
  return {
    locale: menu.defaultLocale,
    findings: findings.map(({ kind, ...figures }) => ({
      kind,
      text: sayFinding({ kind, ...figures } as Figures, menu.defaultLocale),
      figures,
    })),
  };
};
