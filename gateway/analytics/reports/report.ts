import type { Db } from '../../../db/postgres/sql.ts';
import { memoizeAsync } from '../../../db/runtime/memoize.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import type { Period } from '../../../db/sql/counts.ts';
import type { Tenant } from '../../snapshots/loaded-snapshot.ts';
import { loadMenuFacts, type MenuFacts } from './menu-facts.ts';
import type { ReportFigures, ReportName } from './report-schemas.ts';

export interface ReportContext {
  db: Db;
  tenant: Pick<Tenant, 'id' | 'defaultLocale'>;
  period: Period;
  /** Longest list in the report, in entries. */
  limit: number;
  /** Read when a report asks for it first; reports that are made together share it. */
  loadMenu: () => Promise<MenuFacts>;
}

/** @param locale in which dishes are named; the restaurant's default by default */
export function createReportContext(
  given: Omit<ReportContext, 'loadMenu'>,
  locale?: Locale,
): ReportContext {
  const loadMenu = memoizeAsync(() => loadMenuFacts(given.db, given.tenant.id, locale));
  return { ...given, loadMenu };
}

/** The figures of a report; it reads roll-ups and the menu, never single events. */
export type Report<N extends ReportName = ReportName> = (
  context: ReportContext,
) => Promise<ReportFigures<N>>;
