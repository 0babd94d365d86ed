import * as v from 'valibot';
import { type Deviation, deviationSchema, listDeviations } from '../../../db/chain/deviations.ts';
import { guardCell } from '../../../db/schema/dish-table.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { createAnswer } from '../../http/answer.ts';
import { csvHeaders, writeCsv } from '../../http/csv.ts';
import { readQuery } from '../../http/query.ts';
import { createEndpoints, dataAnswer, describeAnswers } from '../frame/endpoints.ts';
import { wordParameter } from '../frame/parameters.ts';
import type { ApiRoute } from '../frame/services.ts';
import { branchesOf } from './chain.ts';

const FORMATS = ['json', 'csv'] as const;
const querySchema = v.object({
  branch: v.optional(described(v.string(), 'The slug of the only branch to list.')),
  format: v.optional(wordParameter(FORMATS, '`csv`: as a table.'), 'json'),
});

const COLUMNS = Object.keys(deviationSchema.entries) as (keyof Deviation)[];
/** The headers of the table. */
export const DEVIATIONS_CSV = csvHeaders('deviations.csv');

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return guardCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Deviations as a table, texts and lists as JSON. */
export function deviationsCsv(deviations: readonly Deviation[]): Buffer {
  const rows = deviations.map((one) => COLUMNS.map((name) => cellOf(one[name])));
  return writeCsv([COLUMNS, ...rows]);
}

const example: Deviation = {
  ...{ branch: 'roma', resource: 'items', id: 7, name: 'Gricia', field: 'price' },
  ...{ own: 12.5, master: 12, by: 'ada@roma.example', at: '2026-01-15T18:30:00.000Z' },
};

const { route } = createEndpoints({
  path: '/admin/chain',
  tag: 'Chain',
  part: 'menu',
  isOfMenu: true,
  failure: 'could not read the deviations',
});

const answer = describeAnswers('DeviationList', v.array(deviationSchema), [example]);

/** `GET /admin/chain/deviations`: what differs where, who made it so, and since when. */
export const deviationsRoute: ApiRoute = route(
  'GET',
  '/deviations',
  {
    ...{ id: 'listDeviations', summary: 'List what is the branches’ own' },
    details:
      'Each field that a branch has made its own, beside the value that the master has for it.',
    query: querySchema,
    answers: {
      200: {
        ...answer('The own fields of the branches.'),
        content: { 'text/csv': { schema: { type: 'string' } } },
        rareHeaders: ['Content-Disposition'],
      },
    },
    refusals: [414, 422],
  },
  async (context, services) => {
    const { values, ignored } = readQuery(querySchema, context.query, []);
    const all = await branchesOf(context, services);
    const branches = values.branch ? all.filter(({ slug }) => slug === values.branch) : all;
    const found = await listDeviations(services.reportDb, context.tenant.id, branches);
    if (values.format === 'csv')
      return createAnswer('200 OK', 'no-store', DEVIATIONS_CSV, deviationsCsv(found));
    return dataAnswer(found, ignored);
  },
);
