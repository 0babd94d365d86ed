import { RIGHTS } from '../../db/schema/rights.ts';
import type { StoredSection } from '../../db/schema/section.ts';
import { compareCounts, sumCounts } from '../../db/sql/counts.ts';
import { insights } from '../analytics/reports/insights.ts';
import { allergensReport, items, searches, viewsOf } from '../analytics/reports/items.ts';
import { overview } from '../analytics/reports/overview.ts';
import { readPeriod, reportQuerySchema } from '../analytics/reports/period.ts';
import { createReportContext, type Report } from '../analytics/reports/report.ts';
import { reportExamples } from '../analytics/reports/report-examples.ts';
import { type ReportName, reportSchemas } from '../analytics/reports/report-schemas.ts';
import { ignoringMetaSchema, successSchema } from '../http/envelope.ts';
import { unavailable } from '../http/errors.ts';
import { dataAnswer, guarded } from './frame/endpoints.ts';
import type { ApiRoute } from './frame/services.ts';

/**
 * The sections that guests opened, the most viewed first, and those on the menu that no guest opened;
 * with each, how often guests opened its dishes.
 */
export const sections: Report<'sections'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, counts, itemCounts] = await Promise.all([
    loadMenu(),
    compareCounts(db, tenant.id, 'section', period),
    sumCounts(db, tenant.id, 'item', period),
  ]);
  const itemViews = new Map<number, number>();
  for (const { key, events } of itemCounts) {
    const section = menu.dishes.get(Number(key))?.category_id;
    if (section !== undefined) itemViews.set(section, (itemViews.get(section) ?? 0) + events);
  }
  const nameSection = (section: StoredSection) => ({
    id: section.id,
    name: menu.name(section),
    parent_id: section.parent_id,
    menu_type: section.menu_type,
    is_active: section.is_active,
    item_views: itemViews.get(section.id) ?? 0,
  });
  const views = viewsOf(counts, menu.sections, menu.visibleSections, limit, nameSection);
  const { total_views, total: total_sections, shown, ...never } = views;
  return { total_views, total_sections, sections: shown, ...never };
};

/** `GET /admin/analytics/{name}` (SPEC, "Admin endpoints"). */
function declare<N extends ReportName>(name: N, report: Report<N>, summary: string): ApiRoute {
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}Report`;
  const schema = successSchema(reportSchemas[name], ignoringMetaSchema);
  const json = { name: title, schema, example: reportExamples[name] };
  return guarded('GET', `/admin/analytics/${name}`, RIGHTS.statistics.read, {
    description: {
      ...{ id: `get${title}`, tag: 'Analytics', summary },
      query: reportQuerySchema,
      answers: { 200: { description: 'The report.', json } },
      refusals: [414, 422],
    },
    call: async ({ tenant, query }, { reportDb, now }) => {
      const { period, limit, ignored } = readPeriod(query, tenant.timezone, now());
      // Its figures are of one moment, whatever a worker adds meanwhile.
      const made = reportDb.moment((moment) =>
        report(createReportContext({ db: moment, tenant, period, limit })),
      );
      const figures = await made.catch(unavailable(`could not make the report ${name}`));
      const { from, to } = period;
      return dataAnswer({ from, to, timezone: tenant.timezone, ...figures }, ignored);
    },
  });
}

export const reportRoutes: ApiRoute[] = [
  declare('overview', overview, 'Totals by day, hour and language, against the period before'),
  declare('items', items, 'Which dishes guests opened, and which they did not'),
  declare('sections', sections, 'Which sections guests opened, and which they did not'),
  declare('allergens', allergensReport, 'Which allergens guests filtered out'),
  declare('searches', searches, 'What guests searched for and did not find'),
  declare('insights', insights, 'What is worth knowing, in plain words'),
];
