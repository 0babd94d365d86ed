import { importFrom } from '../../db/exchange/imports.ts';
import type { InOptions } from '../../db/exchange/in-menu.ts';
import { joinNames } from '../../db/exchange/out-menu.ts';
import type { MenuDocument } from '../../db/menu/import-operations.ts';
import { recordByKey, recordOf } from '../../db/menu/working-menu.ts';
import { constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { keysOf } from '../../db/runtime/keys.ts';
import { memoize } from '../../db/runtime/memoize.ts';
import {
  boundReport,
  type ExchangeReport,
  type ImportFormat,
} from '../../db/schema/exchange-report.ts';
import { toDocument } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import type { AskedTable } from '../../db/schema/table.ts';
import { parseInSteps } from '../../db/schema/validation/parse-json.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { type Locale, textsIn } from '../../db/schema/values/locale.ts';
import { type Row, rowsIn } from '../../db/schema/values/row.ts';
import { recordsOf, type StoredMenu } from '../../db/sql/menus.ts';
import { readLines } from '../tables/read-lines.ts';
import { headerAt } from '../tables/sheets.ts';

type Kind = Parameters<InOptions['find']>[0];

/** The names of a record, of a section also with those in which it stands, as exports join them. */
function namesOf(menu: StoredMenu, kind: Kind, row: Row): Set<string> {
  const own = textsIn(row.name_translations);
  const names = new Set(Object.values(own));
  if (kind !== 'categories') return names;
  const path = [own];
  let parent = recordOf(menu, records.categories, row.parent_id);
  while (parent && path.length <= constants.maxSectionDepth) {
    path.unshift(textsIn(parent.name_translations));
    parent = recordOf(menu, records.categories, parent.parent_id);
  }
  for (const code of keysOf(own)) names.add(joinNames(path, code));
  return names;
}

/** The records of a menu by their names in any language; dishes by their sections, too. */
function byNames(menu: StoredMenu, kind: Kind) {
  const named = recordsOf(menu, records[kind]).flatMap((row) => {
    const within = kind === 'items' ? row.category_id : '';
    const names = [...namesOf(menu, kind, row)];
    return names.map((name) => ({ key: `${within}/${name.toLowerCase()}`, row }));
  });
  return groupBy(named, ({ key }) => key);
}

/** The records that are here, as documents have them. */
function lookUp(menu: StoredMenu): Pick<InOptions, 'find' | 'named'> {
  const shown = (kind: Kind, row: Row | undefined) =>
    row && { id: row.id, ...toDocument(records[kind], row) };
  const names = memoize((kind: Kind) => byNames(menu, kind));
  return {
    find: (kind, { id, external_id }) => {
      const record = records[kind];
      const row =
        id === undefined ? recordByKey(menu, record, external_id) : recordOf(menu, record, id);
      return shown(kind, row as Row | undefined);
    },
    named: (kind, name, section) => {
      const within = kind === 'items' ? section : '';
      const found = names(kind).get(`${within}/${name.toLowerCase()}`) ?? [];
      return found.map(({ row }) => row);
    },
  };
}

type Source = { source: unknown } | { errors: FieldErrors };

function* readJson(document: Buffer): Generator<void, Source> {
  const { value, errors } = yield* parseInSteps(document);
  return errors && Object.keys(errors).length > 0 ? { errors } : { source: value };
}

/** The cells of a table or a workbook from its header on; no row of a till is hidden. */
async function readCells(document: Buffer, asked: AskedTable, locale: Locale): Promise<Source> {
  const read = await readLines(document, { ...asked, hidden_rows: true }, locale);
  if ('errors' in read) return read;
  return { source: read.lines.slice(headerAt(read.lines, locale)).map(({ cells }) => cells) };
}

/** An answer of our own export, with its envelope, counts as its document. */
function withoutEnvelope(source: unknown): unknown {
  const { data } = (source ?? {}) as Row;
  return (data as Row | undefined)?.document ?? source;
}

/**
 * Reads the document of a service as the document of a menu.
 *
 * @param asked `locale` is the language of texts that name none; by default the restaurant's own
 * @param at when it was sent
 */
export async function readExchange(
  document: Buffer,
  format: ImportFormat,
  menu: StoredMenu,
  asked: AskedTable,
  at: Date,
): Promise<(MenuDocument & { report: ExchangeReport }) | { errors: FieldErrors }> {
  const { slug, currency, default_locale, fallback_locale, supported_locales } = menu.settings;
  const { locale = default_locale } = asked;
  if (!supported_locales.includes(locale)) return { errors: { locale: [broken('invalid')] } };
  const read =
    format === 'square_csv'
      ? await readCells(document, asked, locale)
      : await inSlices(readJson(document));
  if ('errors' in read) return read;
  const reading = importFrom(format, withoutEnvelope(read.source), {
    ...{ at, slug, currency, locale, fallback: fallback_locale, ...lookUp(menu) },
  });
  const imported = await inSlices(reading);
  if (!imported) return { errors: { body: [broken('notOfService', { service: format })] } };
  const lists = {
    categories: rowsIn(imported.document.categories),
    modifier_groups: rowsIn(imported.document.modifier_groups),
    items: rowsIn(imported.document.items),
  };
  return { lists, ignored: [], report: boundReport(imported.report) };
}
