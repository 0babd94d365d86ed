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
import {
  createIgnoredFields,
  errorsOf,
  type Input,
} from '../../db/schema/validation/check-input.ts';
import { parseInSteps } from '../../db/schema/validation/parse-json.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { isResource } from '../../db/schema/values/resource.ts';
import { isObject, listIn } from '../../db/schema/values/row.ts';
import type { KeptTable } from '../../db/sql/kept-tables.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import type { FindKept, ReadTable } from '../tables/read-table.ts';
import { withErrors } from '../tables/row-errors.ts';

export interface DocumentRequest extends Pick<MenuDocument, 'ignored' | 'staleTexts'> {
  operations: readonly SentOperation[];
  /** Whether two operations for one record are a mistake. */
  namesOnce: boolean;
  skipsFailed: boolean;
  isDryRun: boolean;
  /** The lists of the document, when records that they lack are to be deleted. */
  completeLists: readonly string[];
  /** Whether a person reads what it comes to. */
  isForPeople: boolean;
  /** How a table was read. */
  table?: TableFacts | undefined;
  /** The losses of the document of a service. */
  report?: ExchangeReport | undefined;
  /** The answers of a table's sender, to be kept for the next table with these headers. */
  kept?: KeptTable | undefined;
  /** The operations at the beginning that make sections and wineries for the dishes of a table. */
  madeCount: number;
  /** Where the cells of each dish of a table stand. */
  sources?: ReadTable['sources'] | undefined;
  /** The fields of existing records that may change; null for all. */
  fields: ReadonlySet<string> | null;
}

/** The lists of a menu in any format, or why there are none. */
type ReadMenu =
  | (MenuDocument & Partial<ReadTable> & { report?: ExchangeReport })
  | { errors: FieldErrors };

type Read = { request: DocumentRequest } | { errors: FieldErrors; table?: TableFacts };

function unknownFields(value: Input, schema: { entries: object }): readonly string[] {
  const ignored = createIgnoredFields();
  ignored.note(value, Object.keys(schema.entries));
  return ignored.paths();
}

/** Reads the body of `POST /admin/bulk`. */
export async function readBulk(document: Buffer): Promise<Read> {
  const { value, errors } = await inSlices(parseInSteps(document));
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
  const { value, errors } = yield* parseInSteps(document);
  if (!isObject(value)) return { errors: { body: [broken('format')], ...errors } };
  // An answer of the export may be sent as it came, with its envelope.
  const menu = isObject(value.data) ? value.data : value;
  const checked = v.safeParse(documentSchema, menu);
  if (!checked.success) return { errors: errorsOf(checked.issues) };
  const { settings, theme, stale_texts: staleTexts } = checked.output;
  const given = MENU_COLLECTIONS.filter((collection) => collection in menu);
  const lists = Object.fromEntries(
    given.map((collection) => [collection, listIn(menu[collection])]),
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
  const asked = (input.table ?? {}) as AskedTable;
  const given = Array.isArray(input.fields) ? new Set(input.fields as string[]) : null;
  // Other fields of a till's table are left as they are.
  const pricesOnly = input.prices_only === true;
  const fields = pricesOnly ? PRICE_FIELDS : given;
  const { format } = input;
  const readFormat = async (): Promise<ReadMenu> => {
    // Few workers are asked for these in their first minutes, so a start does not load them.
    if (format === 'csv') {
      const { readDishTable } = await import('../tables/read-table.ts');
      return readDishTable(document, asked, menu, { findKept, fields });
    }
    if (isImportFormat(format)) {
      const { readExchange } = await import('./read-exchange.ts');
      return readExchange(document, format, menu, asked, at);
    }
    return inSlices(readMenu(document));
  };
  const read = await readFormat();
  if ('errors' in read) return read;
  const { lists, table, report, sources, made = [], staleTexts } = read;
  const count = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  const { maxDocumentRecords: max } = constants;
  if (count > max) return { errors: { body: [broken('maxItems', { max })] } };
  const all = withErrors(await inSlices(importOperations(read)), sources);
  const sent = withoutMissingPhotos(menu, [...made, ...all]);
  const { operations, ignored } = await inSlices(sent);
  const isComplete = input.delete_missing && !table?.keeps_missing && !leavesOut(report);
  return {
    request: {
      ...{ table, report, sources, fields, operations },
      staleTexts: pricesOnly ? undefined : staleTexts,
      kept: table && hasAnswers(asked) ? answersOf(table) : undefined,
      isForPeople: input.diff === true,
      madeCount: made.length,
      namesOnce: true,
      skipsFailed: input.skip_refused === true,
      isDryRun: input.dry_run === true,
      completeLists: isComplete ? Object.keys(lists) : [],
      ignored: [...read.ignored, ...ignored],
    },
  };
}

/**
 * The operations of an import without photos that the restaurant does not have, and the paths left
 * out. A menu of another restaurant comes without its photos: these are files of their own. A step is
 * one operation.
 */
function* withoutMissingPhotos(menu: StoredMenu, operations: readonly SentOperation[]) {
  const { photos } = records;
  /** Names of the document for photos that are here. */
  const names = new Set<unknown>();
  const isHere = (key: unknown, id: unknown) =>
    typeof key === 'string'
      ? names.has(key) || recordByKey(menu, photos, key) !== undefined
      : recordOf(menu, photos, id) !== undefined;
  const ignored: string[] = [];
  /** Null for one of a photo that is not here. */
  const withoutMissing = (sent: SentOperation): SentOperation | null => {
    const { operation, path, name } = sent;
    if (!isObject(operation)) return sent;
    const { resource, external_id, id, data } = operation;
    if (!isResource(resource)) return sent;
    const record = records[resource];
    if (record.isUploaded) {
      const isKnown = isHere(external_id, id);
      if (!isKnown) ignored.push(path);
      else if (name !== undefined) names.add(name);
      return isKnown ? sent : null;
    }
    if (!isObject(data)) return sent;
    const rest = { ...data };
    for (const { field, external: key, to } of referencesFrom(record)) {
      if (!to.isUploaded) continue;
      const isNamed = typeof data[key] === 'string' || data[field];
      if (!isNamed || isHere(data[key], data[field])) continue;
      delete rest[key];
      delete rest[field];
      ignored.push(`${path}.${typeof data[key] === 'string' ? key : field}`);
    }
    return { ...sent, operation: { ...operation, data: rest } };
  };
  const left: SentOperation[] = [];
  for (const one of operations) {
    const kept = withoutMissing(one);
    if (kept) left.push(kept);
    yield;
  }
  return { operations: left, ignored };
}
