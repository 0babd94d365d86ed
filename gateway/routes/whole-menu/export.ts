import * as v from 'valibot';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { documentSchema, menuTag } from '../../../db/schema/bulk.ts';
import { dishColumns, guardCell, toCell } from '../../../db/schema/dish-table.ts';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { LOCALES, textsIn } from '../../../db/schema/values/locale.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { exportMenu } from '../../../db/snapshot/menu-document.ts';
import { csvHeaders, csvInSteps, type Delimiter } from '../../http/csv.ts';
import { metaSchema, successOf } from '../../http/envelope.ts';
import { unavailable } from '../../http/errors.ts';
import { checkQuery } from '../../http/query.ts';
import { createForm, taggedAnswer } from '../../http/representations.ts';
import { guarded, successJson } from '../frame/endpoints.ts';
import { wordParameter } from '../frame/parameters.ts';
import type { ApiRoute } from '../frame/services.ts';
import { exchangeAnswer, exchangedSchema, exchangeEntries } from './exchange.ts';

type Columns = typeof dishColumns;

const FIRST: ReadonlySet<string> = new Set(LOCALES);
const TRANSLATED = new Set(dishColumns.flatMap((one) => (one.locale ? one.fieldName : [])));

/** The dishes, while it notes their columns of other languages than the first. */
function* noting(used: Set<string>, dishes: Iterable<Row>): Generator<Row> {
  for (const dish of dishes) {
    for (const name of TRANSLATED) {
      for (const locale of Object.keys(textsIn(dish[name]))) {
        if (!FIRST.has(locale)) used.add(`${name}_${locale}`);
      }
    }
    yield dish;
  }
}

function* rowsOf(columns: Columns, dishes: Iterable<Row>, delimiter: Delimiter) {
  yield columns.map(({ name }) => name);
  for (const dish of dishes) {
    yield columns.map((column) => {
      const cell = guardCell(toCell(column, dish));
      const { kind } = column.field ?? {};
      const isNumber = kind === 'price' || kind === 'decimal';
      return isNumber && delimiter === ';' ? cell.replace('.', ',') : cell;
    });
  }
}

/**
 * The dishes of a menu as CSV, which an import takes again. A step is one of them.
 *
 * @param delimiter with `;` prices have a decimal comma: so Excel reads and writes tables where it speaks
 *   Italian, French, German or Spanish
 */
function* dishCsvInSteps({ items }: Row, delimiter: Delimiter): Generator<void, Buffer> {
  const dishes = items as Iterable<Row>;
  const used = new Set<string>();
  const columnsOf = () =>
    dishColumns.filter(({ name, locale }) => !locale || FIRST.has(locale) || used.has(name));
  const table = yield* csvInSteps(rowsOf(columnsOf(), noting(used, dishes), delimiter), delimiter);
  if (used.size === 0) return table;
  return yield* csvInSteps(rowsOf(columnsOf(), dishes, delimiter), delimiter);
}

/** The table of `dishCsvInSteps`; it gives the event loop to others on the way. */
export function writeDishCsv(document: Row, delimiter: Delimiter): Promise<Buffer> {
  return inSlices(dishCsvInSteps(document, delimiter));
}

const FORMATS = ['json', 'csv', ...EXPORT_TARGETS] as const;
const querySchema = v.object({
  format: v.optional(
    wordParameter(
      FORMATS,
      '`csv`: a table of the dishes, with a column for each language of a text. Others: the ' +
        'document of a service with a report on what it lacks; `schema` is JSON-LD.',
    ),
    'json',
  ),
  ...exchangeEntries,
});

const CSV_FORM = createForm('no-store', csvHeaders('menu.csv'));

/** `GET /admin/export`: the menu as one document, or its dishes as a table. */
export const exportRoute: ApiRoute = guarded('GET', '/admin/export', RIGHTS.menu.read, {
  description: {
    id: 'exportMenu',
    tag: 'Records',
    summary: 'Export the whole menu',
    details:
      'Inactive records are part of it, deleted ones are not. `/admin/import` takes it again. In the ' +
      'format of another service it has what guests see now, and `report` names the rest.',
    parameters: ['IfNoneMatch'],
    query: querySchema,
    answers: {
      200: {
        description: 'The menu, a table of its dishes, or the document of a service.',
        json: successJson(
          'ExportAnswer',
          v.union([exchangedSchema, documentSchema]),
          {
            format: 'lavagna-menu/1',
            items: [{ id: 7, name: { it: 'Gricia' } }],
          },
          metaSchema,
        ),
        content: { 'text/csv': { schema: { type: 'string' } } },
        headers: ['ETag'],
        rareHeaders: ['Content-Disposition', 'Vary', 'Content-Encoding'],
      },
      304: {
        description: 'The menu is in the version that the client has seen.',
        headers: ['ETag'],
        shared: 'RecordUnchanged',
      },
    },
    refusals: [414, 422],
  },
  call: async (context, services) => {
    const { reportDb } = services;
    const { format, ...asked } = checkQuery(querySchema, context.query);
    if (format !== 'json' && format !== 'csv') {
      return exchangeAnswer(format, asked, context, services);
    }
    const { version, document } = await reportDb
      .moment((tx) => exportMenu(tx, context.tenant.id))
      .catch(unavailable('could not read a menu'));
    const isCsv = format === 'csv';
    const identity = await (isCsv ? writeDishCsv(document, ',') : writeJson(successOf(document)));
    const form = isCsv ? CSV_FORM : undefined;
    return taggedAnswer({ etag: menuTag(version), identity }, context, form);
  },
});
