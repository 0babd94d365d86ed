import * as v from 'valibot';
import { described } from './validation/described-as.ts';

// The losses of an exchange with another service. The report is as much of the result as the
// document: a menu without the losses that it names is the document.

/** The services to which a menu is exported, in the order in which they are shown. */
export const EXPORT_TARGETS = [
  ...(['google', 'uber', 'square', 'deliverect', 'otter', 'schema'] as const),
] as const;
export type ExportTarget = (typeof EXPORT_TARGETS)[number];

/** The formats of services that an import reads, in the order in which they are shown. */
export const IMPORT_FORMATS = [
  ...(['square', 'square_csv', 'uber', 'deliverect', 'toast', 'otter', 'google'] as const),
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const isImportFormat = (format: unknown): format is ImportFormat =>
  IMPORT_FORMATS.includes(format as ImportFormat);

/** Why a field or a record is not carried; each has a text in the languages of the panel. */
const LOSSES = [
  'priceOnRequest',
  'noPrice',
  'currencyMismatch',
  'soldOut',
  'farDate',
  'undeclared',
  'noneLeftOut',
  'unsupportedAllergen',
  'joinedAllergen',
  'partOfAllergens',
  'unknownTag',
  'alcoholUnknown',
  'cutText',
  'noName',
  'languageLeftOut',
  'languageAssumed',
  'offerLeftOut',
  'setMenuFlattened',
  'sectionJoined',
  'emptySection',
  'oneSection',
  'noSection',
  'sameKey',
  'sizeUnnamed',
  'hoursMissing',
  'spanLeftOut',
  'vatMissing',
  'photoAddress',
  'tooMany',
  'inLaterBatch',
  'hidden',
  'noPlace',
] as const;
export type Loss = (typeof LOSSES)[number];

const name = described(v.string(), 'What it is called.');
const why = described(v.picklist(LOSSES), 'The rule by which it is lost.');
const record = {
  resource: described(v.string(), 'The collection of the record.'),
  id: described(
    v.nullable(v.union([v.number(), v.string()])),
    'Its id: ours going out, that of the service coming in. Null for settings.',
  ),
};

/** The most entries of a list that a report of an import keeps. */
const MOST_ENTRIES = 2_000;

/** The report on an export or an import of another service’s format. */
export const reportSchema = v.object({
  target: described(v.string(), 'The format.'),
  at: described(v.string(), 'When it was made.'),
  sent: v.pipe(v.number(), v.integer(), v.description('How many dishes are carried.')),
  lossy: described(
    v.array(
      v.object({
        ...record,
        name,
        field: described(v.string(), 'The field that is not carried, or not whole.'),
        why,
      }),
    ),
    'Fields of carried records that are not carried whole.',
  ),
  left_out: described(v.array(v.object({ ...record, name, why })), 'Records that are not carried.'),
  more: v.optional(
    v.pipe(v.number(), v.integer(), v.description('Entries of an import that are not listed.')),
  ),
});
export type ExchangeReport = v.InferOutput<typeof reportSchema>;

/** A report whose lists are bounded, as the result of a write keeps it. */
export function boundReport(report: ExchangeReport): ExchangeReport {
  const { lossy, left_out } = report;
  const more =
    Math.max(lossy.length - MOST_ENTRIES, 0) + Math.max(left_out.length - MOST_ENTRIES, 0);
  if (more === 0) return report;
  return {
    ...report,
    lossy: lossy.slice(0, MOST_ENTRIES),
    left_out: left_out.slice(0, MOST_ENTRIES),
    more,
  };
}
