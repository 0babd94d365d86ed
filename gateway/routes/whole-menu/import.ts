import * as v from 'valibot';
import { documentSchema } from '../../../db/schema/bulk.ts';
import { CODE_KEYS, SIGN_MEANINGS } from '../../../db/schema/choice-words.ts';
import { OWNERS_COLUMNS } from '../../../db/schema/column-names.ts';
import { dishColumns } from '../../../db/schema/dish-table.ts';
import { IMPORT_FORMATS } from '../../../db/schema/exchange-report.ts';
import { importFieldsSchema } from '../../../db/schema/import-fields.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { columnsSchema, DECIMAL_SIGNS, ENCODINGS, signsSchema } from '../../../db/schema/table.ts';
import { grants } from '../../../db/schema/token.ts';
import type { Input } from '../../../db/schema/validation/check-input.ts';
import { describedAs } from '../../../db/schema/validation/described-as.ts';
import { oneOfRule, rule } from '../../../db/schema/validation/rule.ts';
import { ALL_LOCALES, FALLBACK_LOCALE } from '../../../db/schema/values/locale.ts';
import type { Answer } from '../../http/answer.ts';
import { ForbiddenError } from '../../http/errors.ts';
import { checkJsonType } from '../../http/json-body.ts';
import { readQuery } from '../../http/query.ts';
import { BINARY } from '../../openapi/parts.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { guarded } from '../frame/endpoints.ts';
import { switchParameter, wordParameter } from '../frame/parameters.ts';
import type { ApiRoute, Services } from '../frame/services.ts';
import { isAsync, makeWrite, readerOf } from '../records/read-write.ts';
import { bulkAnswers } from './answers.ts';

/**
 * Hands a document to the queue as it is: a worker reads it, which takes longer than this gateway's
 * readers should wait.
 *
 * @param input how it is to be taken
 * @param ignored parameters that have no meaning
 */
export async function writeDocument(
  action: 'bulk' | 'import',
  input: Input,
  ignored: readonly string[],
  context: GuardedContext,
  { writes }: Pick<Services, 'writes'>,
): Promise<Answer> {
  const document = await context.body;
  // The worker reads the document, and adds those of its fields that are ignored.
  const asked = { resource: 'menu' as const, action, input, ignored, document };
  const write = makeWrite(context, asked, [action, input], document);
  return writes.perform(write, readerOf(context), isAsync(context), context.free);
}

/** The media type of a workbook of Excel. */
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TABLES = ['text/csv', 'text/tab-separated-values', WORKBOOK];

/** The same table in each of the forms that are taken. */
const TABLE = 'category_name,name_it,price\nPrimi,Gricia,12\n';
const TABLE_COLUMNS =
  'A table with a header. Columns of the export: ' +
  `${dishColumns
    .filter(({ locale }) => !locale || locale === FALLBACK_LOCALE)
    .map(({ name }) => `\`${name}\``)
    .join(', ')}, and a column for each further language. Of owners’ own tables: ` +
  `${OWNERS_COLUMNS.map((name) => `\`${name}\``).join(', ')}, under words for them.`;
const TABLE_CONTENT = Object.fromEntries(
  TABLES.map((type) => {
    const separated = type === 'text/csv' ? TABLE : TABLE.replaceAll(',', '\t');
    const schema =
      type === WORKBOOK
        ? {
            ...BINARY,
            description: 'Its first sheet with dishes, and others with the same columns.',
          }
        : { type: 'string', description: TABLE_COLUMNS };
    return [type, { schema, ...(type !== WORKBOOK && { example: separated }) }];
  }),
);

const COLUMNS =
  'The meaning of columns of a table, as JSON: headers with names of columns of the export, or with ' +
  `${OWNERS_COLUMNS.map((name) => `\`${name}\``).join(', ')}, or \`allergen_latte\` and so on for a column of ` +
  'one allergen; an empty text ignores a column. They are kept for the next table with the same header.';

const SIGNS =
  'The meaning of signs in columns of one allergen each, as JSON: signs with one of ' +
  `${SIGN_MEANINGS.map((meaning) => `\`${meaning}\``).join(', ')}, such as \`{"?":"unknown","":"absent"}\`. The empty ` +
  'sign stands for empty cells, and for allergens without a column. With `unknown` a dish has no declaration. ' +
  'Numbers and letters in lists of allergens have no meaning of their own, either: give each an allergen, ' +
  '`additive_` and an additive, or `ignored`, such as `{"A":"cereali_glutine","1":"additive_colouring"}`. A code ' +
  'of a column of additives is `additives:1`. The answers are kept for the next table with the same header.';

const FIELDS =
  'The only fields of existing records that may change, with commas between them, such as ' +
  '`price,is_active`. New records come whole.';

const querySchema = v.object({
  format: v.optional(
    wordParameter(
      IMPORT_FORMATS,
      'The service whose document is sent: `square` as its list or as batches, `square_csv` its item ' +
        'library as CSV or as a workbook, the others in the form that the service gives or that `/admin/export` makes.',
    ),
  ),
  dry_run: switchParameter('1: answer what would change, and change nothing.'),
  delete_missing: v.optional(
    v.pipe(
      v.picklist(['0', '1', 'true', 'false', 'all'], oneOfRule(['0', '1', 'all'])),
      v.description(
        '1: delete the records with an `external_id` that the lists of the document lack, at most a fifth of the menu. ' +
          '`all`: delete all records that they lack.',
      ),
      v.transform((text) => (text === 'all' ? 'all' : text === '1' || text === 'true')),
    ),
    '0',
  ),
  encoding: v.optional(
    wordParameter(ENCODINGS, 'The encoding of a table; it is found by default.'),
  ),
  decimal_sign: v.optional(
    wordParameter(
      DECIMAL_SIGNS,
      'The sign before the decimals of a table; it is found by default.',
    ),
  ),
  locale: v.optional(
    wordParameter(
      ALL_LOCALES,
      'The language of texts of a table whose column names none, and of a service: one of `supported_locales`, by default `default_locale`.',
    ),
  ),
  columns: v.optional(v.pipe(columnsSchema, describedAs({ type: 'string', description: COLUMNS }))),
  fields: v.optional(
    v.pipe(importFieldsSchema, describedAs({ type: 'string', description: FIELDS })),
  ),
  confirm_allergens: switchParameter(
    '1: let the import say of more than one dish that it contains no allergens any more.',
  ),
  skip_refused: switchParameter(
    '1: leave records out that break rules, and apply the others; `results` names each with its errors. Then nothing is deleted.',
  ),
  sheet: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(100, rule('maxLength', { max: 100 })),
      v.description('The one sheet of a workbook that is read.'),
    ),
  ),
  hidden_rows: switchParameter(
    '1: read rows that a workbook hides, too; they are named and left out by default.',
  ),
  without_prices: switchParameter(
    '1: take new dishes of a table that have no price; each costs 0 until it has one.',
  ),
  allergen_codes: v.optional(
    wordParameter(CODE_KEYS, 'The usual key that numbers or letters in lists of allergens follow.'),
  ),
  allergen_signs: v.optional(
    v.pipe(signsSchema, describedAs({ type: 'string', description: SIGNS })),
  ),
});

/** `PUT /admin/import`: a whole menu, or a table of its dishes, as one write with one version. */
export const importRoute: ApiRoute = guarded('PUT', '/admin/import', RIGHTS.menu.write, {
  orScope: RIGHTS.prices.write,
  description: {
    id: 'importMenu',
    tag: 'Records',
    summary: 'Write a whole menu',
    details:
      'Takes what `/admin/export` gives. Records are found by `external_id`, then by `id`, and are ' +
      'created when they are not there. Lists and fields that the document lacks stay as they are. ' +
      'Nothing is applied when anything is wrong. A table of dishes has a header with the names of ' +
      'columns, or with words for them in five languages; separators are commas, semicolons or tabs. ' +
      'Sections and wineries are found by their names, and made when they are missing. `table` says ' +
      'how it was read. A number ' +
      'such as `1.250` in a table without other decimals is refused until `decimal_sign` is sent. So is a table with ' +
      'one column an allergen, until `allergen_signs` says what empty cells and unusual signs mean, one with ' +
      'numbers or letters in a list of allergens, one with a column that may say whether or when a dish is ' +
      'sold, and one without a price. A new dish with an empty price is refused in the same way as one with a wrong cell, ' +
      'unless `without_prices` takes it. Columns that are not understood are named in `table` and `meta.ignored`. ' +
      'While a sheet, a row or a column was not read, `delete_missing` deletes nothing and is named there, too. ' +
      'With `format` the document is that of another service: its ids become external ids, so that a second ' +
      'import updates, and `report` names what has no place. Its silence about allergens declares nothing. ' +
      'With the scope `prices:write` alone, only prices change, and `delete_missing` is forbidden.',
    parameters: ['IfMatch', 'IdempotencyKey', 'Prefer'],
    query: querySchema,
    body: {
      name: 'MenuDocument',
      schema: documentSchema,
      example: { format: 'lavagna-menu/1', items: [{ external_id: 'gricia', price: 12 }] },
      others: TABLE_CONTENT,
    },
    answers: bulkAnswers,
    refusals: [413, 414, 415, 422],
  },
  call: (context, services) => {
    const [type = ''] = (context.headers.get('content-type') ?? '').split(';');
    const isCsv = TABLES.includes(type.trim().toLowerCase());
    if (!isCsv) checkJsonType(context.headers);
    const { values, ignored } = readQuery(querySchema, context.query, [
      'format',
      'fields',
      'sheet',
    ]);
    const { format, dry_run, delete_missing, fields, skip_refused, confirm_allergens, ...said } =
      values;
    const pricesOnly = !grants(context.token.scopes, RIGHTS.menu.write);
    if (pricesOnly && delete_missing) throw new ForbiddenError();
    const { allergen_signs: signs, allergen_codes: code_key, ...rest } = said;
    const table = { ...rest, ...(signs && { signs }), ...(code_key && { code_key }) };
    const input = {
      ...{ format: format ?? (isCsv ? 'csv' : 'json'), dry_run, delete_missing },
      ...(fields && { fields }),
      ...(skip_refused && { skip_refused }),
      ...(confirm_allergens && { confirm_allergens }),
      ...(pricesOnly && { prices_only: true }),
      table,
    };
    return writeDocument('import', input, ignored, context, services);
  },
});
