import * as v from 'valibot';
import { importOperations, type MenuDocument } from '../../db/menu/import-operations.ts';
import type { SentOperation } from '../../db/menu/plan.ts';
import { recordByKey, recordOf } from '../../db/menu/working-menu.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { bulkSchema, documentSchema } from '../../db/schema/bulk.ts';
import { type ExchangeReport, isImportFormat } from '../../db/schema/exchange-report.ts';
import { MENU_COLLECTIONS, records, referencesFrom } from '../../db/schema/registry.ts';
import type { AskedTable, TableFacts } from '../../db/schema/table.ts';
import type { StaleText } from '../../db/schema/translation.ts';
import {
  createIgnoredFields,
  errorsOf,
  type Input,
} from '../../db/schema/validation/check-input.ts';
import { parseInSteps } from '../../db/schema/validation/parse-json.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import { isResource, type Resource } from '../../db/schema/values/resource.ts';
import { isObject } from '../../db/schema/values/row.ts';
import type { KeptTable } from '../../db/sql/kept-tables.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { type FindKept, type ReadTable, readDishTable } from '../tables/read-table.ts';
import { withErrors } from '../tables/row-errors.ts';
import { readExchange } from './read-exchange.ts';

export interface DocumentRequest extends Pick<MenuDocument, 'ignored'> {
  operations: readonly SentOperation[];
  /** Whether two operations for one record are a mistake. */
  namesOnce: boolean;
  skipsFailed: boolean;
  isDryRun: boolean;
  /** The lists of the document, when records that they lack are to be deleted. */
  completeLists: readonly string[];
  /** Whether a person reads what it comes to. */
  isForPeople: boolean;
  /** Translations whose sources have changed since, as the document says. */
  staleTexts?: readonly StaleText[] | undefined;
  /** How a table was read. */
  table?: TableFacts;
  /** The losses of the document of a service. */
  report?: ExchangeReport;
  /** The answers of a table's sender, to be kept for the next table with these headers. */
  kept?: KeptTable;
  /** The operations at the beginning that make sections and wineries for the dishes of a table. */
  madeCount: number;
  /** Where the cells of each dish of a table stand. */
  sources?: ReadTable['sources'];
  /** The fields of existing records that may change; null for all. */
  fields: ReadonlySet<string> | null;
}

type Read = { request: DocumentRequest } | { errors: FieldErrors; table?: TableFacts };

function unknownFields(value: Input, schema: { entries: object }): readonly string[] {
  const ignored = createIgnoredFields();
  ignored.note(value, Object.keys(schema.entries));
  return ignored.paths();
}

/** Reads the body of `POST /admin/bulk`. */
export async function readBulk(document: Buffer): Promise<Read> {
  const { maxDocumentParts, maxJsonDepth, writeSlice } = constants;
  const parsing = parseInSteps(document, maxDocumentParts, maxJsonDepth);
  const { value, errors } = await inSlices(parsing, writeSlice);
  const checked = v.safeParse(bulkSchema, isObject(value) ? value : {});
  if (!checked.success) return { errors: { ...errors, ...errorsOf(checked.issues) } };
  const { operations, on_error, dry_run } = checked.output;
  return {
    request: {
      operations: operations.map((operation, at) => ({ operation, path: `operations.${at}` })),
      namesOnce: false,
      skipsFailed: on_error === 'skip_failed',
      isDryRun: dry_run,
      completeLists: [],
      ignored: unknownFields(value as Input, bulkSchema),
      isForPeople: false,
      madeCount: 0,
      fields: null,
    },
  };
}

function* readMenu(document: Buffer): Generator<void, MenuDocument | { errors: FieldErrors }> {
  const { value, errors } = yield* parseInSteps(
    document,
    constants.maxDocumentParts,
    constants.maxJsonDepth,
  );
  if (!isObject(value)) {
    return { errors: { body: [broken('format')], ...errors } };
  }
  // An answer of the export may be sent as it came, with its envelope.
  const menu = isObject(value.data) ? value.data : value;
  const checked = v.safeParse(documentSchema, menu);
  if (!checked.success) return { errors: errorsOf(checked.issues) };
  const { settings, theme, stale_texts: staleTexts } = checked.output;
  const given = MENU_COLLECTIONS.filter((collection) => collection in menu);
  const count = given.reduce((sum, name) => sum + (menu[name] as readonly unknown[]).length, 0);
  const { maxDocumentRecords: max } = constants;
  if (count > max) return { errors: { body: [broken('maxItems', { max })] } };
  const lists = Object.fromEntries(
    given.map((collection) => [collection, menu[collection] as readonly unknown[]]),
  );
  return { settings, theme, lists, staleTexts, ignored: unknownFields(menu, documentSchema) };
}

/** The answers of a table's sender that the next table with the same headers needs. */
function answersOf({ columns, signs = [], codes = [] }: TableFacts): KeptTable {
  const meanings = [...signs, ...codes].flatMap(({ sign, meaning }) =>
    meaning === null ? [] : [[sign, meaning] as const],
  );
  return {
    headers: columns.map(({ header }) => header),
    targets: columns.map(({ target, left }) => target ?? (left === 'chosen' ? '' : null)),
    signs: Object.fromEntries(meanings),
  };
}

/** Whether the document of a service has dishes or groups that are not taken. */
export const leavesOut = (report: ExchangeReport | undefined) =>
  report !== undefined && report.left_out.length > 0;

/** Whether a sender has answered what a table did not say. */
const hasAnswers = ({ places, columns, signs, code_key, locale }: AskedTable) =>
  Boolean(places ?? columns ?? signs ?? code_key ?? locale);

/** The fields of all records that hold prices. */
const PRICE_FIELDS = new Set(['price', 'variants', 'options', 'offers']);

/**
 * Reads the body of `PUT /admin/import`.
 *
 * @param input how it is to be taken: `format` is `json`, `csv` or one of a service; with `diff` the answer
 *   is one for people
 * @param at when it was sent
 */
export async function readImport(
  document: Buffer,
  input: Input,
  menu: StoredMenu,
  findKept: FindKept,
  at: Date,
): Promise<Read> {
  const { writeSlice } = constants;
  const asked = (input.table ?? {}) as AskedTable;
  const given = Array.isArray(input.fields) ? new Set(input.fields as string[]) : null;
  // Other fields of a till's table are left as they are.
  const pricesOnly = input.prices_only === true;
  const fields = pricesOnly ? PRICE_FIELDS : given;
  const { format } = input;
  const read:
    | (MenuDocument & Partial<ReadTable> & { report?: ExchangeReport })
    | { errors: FieldErrors } =
    format === 'csv'
      ? await readDishTable(document, asked, menu, { findKept, fields })
      : isImportFormat(format)
        ? await readExchange(document, format, menu, asked, at)
        : await inSlices(readMenu(document), writeSlice);
  if ('errors' in read) return read;
  const operations = await inSlices(importOperations(read), writeSlice);
  return {
    request: {
      ...(read.table && { table: read.table }),
      ...(read.report && { report: read.report }),
      staleTexts: 'staleTexts' in read && !pricesOnly ? read.staleTexts : undefined,
      ...(read.table && hasAnswers(asked) && { kept: answersOf(read.table) }),
      ...(read.sources && { sources: read.sources }),
      fields,
      isForPeople: input.diff === true,
      madeCount: read.made?.length ?? 0,
      operations: [...(read.made ?? []), ...withErrors(operations, read.sources)],
      namesOnce: true,
      skipsFailed: input.skip_refused === true,
      isDryRun: input.dry_run === true,
      completeLists:
        input.delete_missing && !read.table?.keeps_missing && !leavesOut(read.report)
          ? Object.keys(read.lists)
          : [],
      ignored: read.ignored,
    },
  };
}

/** The uploaded records that an import may name: those that are here, and names of its own for them. */
function createKnown(menu: StoredMenu) {
  const names = new Set<unknown>();
  return {
    add: (name: string) => names.add(name),
    hasKey: (key: unknown) =>
      names.has(key) || recordByKey(menu, records.photos, key) !== undefined,
    hasId: (id: unknown) => recordOf(menu, records.photos, id) !== undefined,
  };
}

/** The fields of an operation without photos that are not here; notes their paths. */
function withoutUnknown(
  known: ReturnType<typeof createKnown>,
  resource: Resource,
  data: Input,
  note: (field: string) => void,
): Input {
  const left = { ...data };
  for (const { field, to } of referencesFrom(records[resource])) {
    if (!to.isUploaded) continue;
    const name = externalName(field);
    const { [name]: key, [field]: id } = data;
    const isMissing = typeof key === 'string' ? !known.hasKey(key) : id && !known.hasId(id);
    if (!isMissing) continue;
    delete left[name];
    delete left[field];
    note(typeof key === 'string' ? name : field);
  }
  return left;
}

/**
 * The operations of an import without photos that the restaurant does not have, and the paths left
 * out. A menu of another restaurant comes without its photos: these are files of their own.
 */
export function withoutMissingPhotos(
  menu: StoredMenu,
  operations: readonly SentOperation[],
): { operations: SentOperation[]; ignored: string[] } {
  const known = createKnown(menu);
  const ignored: string[] = [];
  const left = operations.flatMap((sent): SentOperation[] => {
    const { operation, path, name } = sent;
    if (!isObject(operation)) return [sent];
    const { resource, external_id, id, data } = operation;
    if (!isResource(resource)) return [sent];
    const record = records[resource];
    if (record.isUploaded) {
      const isHere = typeof external_id === 'string' ? known.hasKey(external_id) : known.hasId(id);
      if (!isHere) ignored.push(path);
      else if (name !== undefined) known.add(name);
      return isHere ? [sent] : [];
    }
    if (!isObject(data)) return [sent];
    const note = (field: string) => ignored.push(`${path}.${field}`);
    const rest = withoutUnknown(known, resource, data, note);
    return [{ ...sent, operation: { ...operation, data: rest } }];
  });
  return { operations: left, ignored };
}
