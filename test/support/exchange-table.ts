import fc from 'fast-check';
import { exportAs } from '../../db/exchange/exports.ts';
import { importFrom } from '../../db/exchange/imports.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import {
  EXPORT_TARGETS,
  type ExchangeReport,
  type ExportTarget,
} from '../../db/schema/exchange-report.ts';
import { compareMenus, isNothing, LISTS, OF_HOURS, writableFields } from './exchange-difference.ts';
import { exportedMenu, OUT } from './exchange-menu.ts';
import { BOTH_WAYS, emptyLike } from './exchange-properties.ts';
import type { Row } from './random-menu.ts';
import { deliverectPush, squareCells, toastMenus } from './service-exports.ts';

// The table of what each service carries, made of what became of random menus.

/** How often a field that said something was carried whole, in part, or not at all. */
interface Outcomes {
  whole: number;
  part: number;
  none: number;
}
type Counts = Map<string, Outcomes>;

const MENUS = 150;

function count(counts: Counts, field: string, outcome: keyof Outcomes) {
  const found = counts.get(field) ?? { whole: 0, part: 0, none: 0 };
  found[outcome] += 1;
  counts.set(field, found);
}

/** The outcomes of one menu that goes out and comes in again. */
function countBothWays(target: (typeof BOTH_WAYS)[number], menu: Row, counts: Counts) {
  const { document, report } = inOneGo(exportAs(target, menu, OUT));
  const back = inOneGo(importFrom(target, JSON.parse(JSON.stringify(document)), emptyLike(menu)));
  if (!back) throw new Error(`${target} reads no document of its own`);
  const { fields } = compareMenus(menu, back.document, report, back.report);
  for (const { list, field, was, now, isKept } of fields) {
    if (isNothing(was)) continue;
    count(counts, `${list}.${field}`, isKept ? 'whole' : isNothing(now) ? 'none' : 'part');
  }
}

const WHOLLY = new Set(['noPlace', 'offerLeftOut']);

/** The outcomes of one menu that only goes out: by its report alone. */
function countReport(report: ExchangeReport, menu: Row, counts: Counts) {
  const left = new Set(report.left_out.map(({ resource, id }) => `${resource}/${id}`));
  const why = new Map(
    report.lossy.map((one) => [`${one.resource}/${one.id}/${one.field}`, one.why]),
  );
  for (const list of LISTS) {
    for (const row of (menu[list] ?? []) as Row[]) {
      if (left.has(`${list}/${row.id}`)) continue;
      for (const [field] of writableFields(list)) {
        const reason = why.get(`${list}/${row.id}/${field}`);
        if (isNothing(row[field])) continue;
        const lost = reason !== undefined && WHOLLY.has(reason) ? 'none' : 'part';
        count(counts, `${list}.${field}`, reason === undefined ? 'whole' : lost);
      }
    }
  }
}

function countsOf(target: ExportTarget, menus: readonly Row[]): Counts {
  const counts: Counts = new Map();
  const both = BOTH_WAYS.find((one) => one === target);
  for (const menu of menus) {
    if (both) countBothWays(both, menu, counts);
    else countReport(inOneGo(exportAs(target, menu, OUT)).report, menu, counts);
  }
  return counts;
}

/** The sign of a field: whole, in part, or not at all. */
function signOf(outcomes: Outcomes | undefined): string {
  if (!outcomes) return '–';
  const { whole, part, none } = outcomes;
  if (part + none === 0) return 'yes';
  return whole + part === 0 ? '–' : 'part';
}

/** The fields that an import sets, by the documents of services that only come in. */
function fieldsRead(format: 'toast' | 'square_csv' | 'deliverect', source: unknown): Set<string> {
  const menu = { settings: { currency: 'USD', default_locale: 'it', fallback_locale: 'it' } };
  const imported = inOneGo(importFrom(format, source, emptyLike(menu)));
  const { document } = imported as NonNullable<typeof imported>;
  return new Set(
    LISTS.flatMap((list) =>
      ((document[list] ?? []) as Row[]).flatMap((row) =>
        Object.keys(row).map((field) => `${list}.${field.replace('_external_id', '_id')}`),
      ),
    ),
  );
}

/** Fields of carried records that follow from the form: their order, and that guests see them. */
const IN_ORDER = new Set(['display_order', 'is_active']);

const TITLES = { categories: 'section', modifier_groups: 'group', items: 'dish' };

/** The table as Markdown: a line for each field, a column for each format and way. */
export function exchangeTable(): string {
  const menus = fc.sample(exportedMenu, { numRuns: MENUS, seed: 1 });
  const out = EXPORT_TARGETS.map((target) => countsOf(target, menus));
  const read = [
    fieldsRead('toast', toastMenus),
    fieldsRead('square_csv', squareCells),
    fieldsRead('deliverect', deliverectPush),
  ];
  const heads = [...EXPORT_TARGETS, 'toast in', 'square_csv in', 'deliverect push in'];
  const lines = LISTS.flatMap((list) =>
    writableFields(list)
      .filter(([field]) => !(OF_HOURS.has(field) || IN_ORDER.has(field)))
      .map(([field]) => {
        const key = `${list}.${field}`;
        const signs = [
          ...out.map((counts) => signOf(counts.get(key))),
          ...read.map((fields) => (fields.has(key) ? 'yes' : '–')),
        ];
        return `| ${TITLES[list]} \`${field}\` | ${signs.join(' | ')} |`;
      }),
  );
  return [
    `| field | ${heads.join(' | ')} |`,
    `| --- |${heads.map(() => ' --- |').join('')}`,
    ...lines,
  ].join('\n');
}

const BEGIN = '<!-- The table begins here; test/tools/exchange-table.ts makes it. -->';
const END = '<!-- The table ends here. -->';

/** The guide with another table. */
export function replaceTable(guide: string, table: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the guide has no table');
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
