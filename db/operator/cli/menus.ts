import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { requireTenant } from '../../actions/restaurants.ts';
import { exportTo } from '../../exchange/export-menu.ts';
import type { Db } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { inOneGo } from '../../runtime/in-slices.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { CODE_KEYS } from '../../schema/choice-words.ts';
import { EXPORT_TARGETS, IMPORT_FORMATS } from '../../schema/exchange-report.ts';
import { importFieldsSchema } from '../../schema/import-fields.ts';
import { columnsSchema, DECIMAL_SIGNS, ENCODINGS, signsSchema } from '../../schema/table.ts';
import { described } from '../../schema/validation/described-as.ts';
import { ALL_LOCALES } from '../../schema/values/locale.ts';
import { exportMenu, filledInSteps } from '../../snapshot/menu-document.ts';
import { findRecord } from '../../sql/admin-records.ts';
import { listHosts } from '../../sql/hosts.ts';
import {
  file,
  flagArgument,
  oneOfArgument,
  percentArgument,
  photoFolder,
  slugArgument,
} from './arguments.ts';
import { defineCommand } from './command.ts';
import { describeReport } from './describe-report.ts';
import { describeImport, importMenu } from './import-menu.ts';
import { savePhotos, uploadFolder } from './photo-folder.ts';

/** The host at which a restaurant's pages are; null for the one below the domain. */
async function mainHostOf(db: Db, tenantId: number): Promise<string | null> {
  const hosts = await listHosts(db, tenantId);
  return hosts.find((host) => host.is_main)?.name ?? null;
}

const menuExport = defineCommand({
  name: 'menu export',
  usage:
    '<slug> [--photos folder] [--format service] [--locale it] [--vat-food n] [--vat-drinks n]',
  summary: "print a restaurant's menu as one document, which menu import or a service takes",
  help: 'With --format, what the document of the service lacks is told beside it.',
  entries: {
    slug: slugArgument,
    photos: photoFolder('the folder into which its photos are written'),
    format: oneOfArgument(EXPORT_TARGETS, 'the service whose format the document has'),
    locale: oneOfArgument(ALL_LOCALES, 'the language of services that have one'),
    'vat-food': percentArgument('VAT on food in percent, for services that ask for it'),
    'vat-drinks': percentArgument('VAT on drinks in percent, for services that ask for it'),
  },
  run: async (input, context) => {
    const { database, progress, originOf } = context;
    const tenantId = await requireTenant(database, input.slug);
    if (input.format !== undefined) {
      const options = {
        ...{ at: new Date(), locale: input.locale ?? null },
        ...{ vatFood: input['vat-food'] ?? null, vatDrinks: input['vat-drinks'] ?? null },
        origin: originOf({ slug: input.slug, host: await mainHostOf(database, tenantId) }),
      };
      const { format } = input;
      const { document, report } = await database.moment((tx) =>
        exportTo(tx, tenantId, format, options),
      );
      for (const line of describeReport(report)) progress(line);
      return document;
    }
    const exported = await database.moment((tx) => exportMenu(tx, tenantId));
    const document = inOneGo(filledInSteps(exported.document));
    if (input.photos !== undefined) {
      const count = await savePhotos(database, tenantId, document, input.photos);
      progress(`photos in ${input.photos}: ${count}`);
    }
    return document;
  },
});

const MIB = 1_048_576;

/** @throws {OperatorError} when the file cannot be read, or is longer than an import may be */
async function readMenuFile(path: string): Promise<Buffer> {
  const { maxDocumentBytes } = constants;
  // One byte more than is allowed tells a file that is too long, also where it is a pipe.
  const document = await buffer(createReadStream(path, { end: maxDocumentBytes })).catch(
    (error) => {
      throw new OperatorError(`The file ${path} cannot be read: ${error.message}.`);
    },
  );
  if (document.length > maxDocumentBytes) {
    throw new OperatorError(`The file ${path} is longer than ${maxDocumentBytes / MIB} MiB.`);
  }
  return document;
}

const menuImport = defineCommand({
  name: 'menu import',
  usage:
    '<slug> <file> [--format service] [--locale it] [--dry-run] [--delete-missing] [--photos folder] [--encoding name] [--decimal-sign sign] [--columns json] [--allergen-signs json] [--allergen-codes key] [--sheet name] [--hidden-rows] [--without-prices] [--fields names] [--skip-refused]',
  summary: 'write a whole menu, or a table of its dishes; print what changes, a record a line',
  help: 'Records are found by external_id, then by id. When anything is wrong, nothing is changed, but for --skip-refused.',
  entries: {
    slug: slugArgument,
    file,
    format: oneOfArgument(IMPORT_FORMATS, 'the service whose document the file is'),
    'dry-run': flagArgument('show what would change, and change nothing'),
    'delete-missing': flagArgument(
      'delete the records with an external id that the lists of the file lack, at most a fifth of the menu',
    ),
    'delete-all-missing': flagArgument('delete all records that the lists of the file lack'),
    'confirm-allergens': flagArgument(
      'let the file say of more than one dish that it contains no allergens any more',
    ),
    photos: photoFolder(
      'the folder of an export, whose photos are uploaded where they are missing',
    ),
    encoding: oneOfArgument(ENCODINGS, 'the encoding of a table, where the right one is not found'),
    locale: oneOfArgument(
      ALL_LOCALES,
      'the language of texts whose column names none, or of the texts of a service',
    ),
    columns: v.optional(
      described(columnsSchema, 'the meaning of columns, such as {"Listino":"price"}'),
    ),
    'allergen-signs': v.optional(
      described(
        signsSchema,
        'the meaning of signs in columns of allergens, such as {"?":"unknown","":"absent"}; the empty one is of empty cells',
      ),
    ),
    'allergen-codes': oneOfArgument(
      CODE_KEYS,
      'the usual key that numbers or letters in lists of allergens follow',
    ),
    sheet: v.optional(described(v.string(), 'the one sheet of a workbook that is read')),
    'hidden-rows': flagArgument('read rows that a workbook hides, too'),
    'without-prices': flagArgument('take new dishes of a table that have no price'),
    fields: v.optional(
      described(
        importFieldsSchema,
        'the only fields of existing records that may change, such as price,is_active',
      ),
    ),
    'skip-refused': flagArgument('leave records out that break rules, and apply the others'),
    'decimal-sign': oneOfArgument(DECIMAL_SIGNS, 'the sign before the decimals of a table'),
  },
  reports: true,
  run: async (input, context) => {
    const document = await readMenuFile(input.file);
    const tenantId = await requireTenant(context.database, input.slug);
    // A dry run uploads nothing: it names the photos that are missing.
    if (input.photos !== undefined && !input['dry-run']) {
      const count = await uploadFolder(context, tenantId, document, input.photos);
      context.progress(`photos uploaded: ${count}`);
    }
    const result = await importMenu(context, tenantId, document, {
      format: input.format ?? (/\.(csv|tsv|tab|txt|xlsx)$/i.test(input.file) ? 'csv' : 'json'),
      dry_run: input['dry-run'],
      delete_missing: input['delete-all-missing'] ? 'all' : input['delete-missing'],
      confirm_allergens: input['confirm-allergens'],
      table: {
        encoding: input.encoding,
        decimal_sign: input['decimal-sign'],
        locale: input.locale,
        columns: input.columns,
        signs: input['allergen-signs'],
        code_key: input['allergen-codes'],
        sheet: input.sheet,
        hidden_rows: input['hidden-rows'],
        without_prices: input['without-prices'],
      },
      fields: input.fields,
      skip_refused: input['skip-refused'],
    });
    const settings = await findRecord(context.database, 'settings', tenantId, null);
    return describeImport(result, String(settings?.data.default_locale));
  },
});

export const menuCommands = [menuExport, menuImport];
