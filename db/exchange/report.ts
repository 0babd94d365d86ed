import * as v from 'valibot';
import type { Locale } from '../schema/values/locale.ts';

// The losses of an exchange with another service. The report is as much of the result as the
// document: a menu without the losses that it names is the document.

/** Why a field or a record is not carried; each has a text in the languages of the panel. */
export const LOSSES = [
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

const name = v.pipe(v.string(), v.description('What it is called.'));
const why = v.pipe(v.picklist(LOSSES), v.description('The rule by which it is lost.'));
const record = {
  resource: v.pipe(v.string(), v.description('The collection of the record.')),
  id: v.pipe(
    v.nullable(v.union([v.number(), v.string()])),
    v.description('Its id: ours going out, that of the service coming in. Null for settings.'),
  ),
};

/** The most entries of a list that a report of an import keeps. */
export const MOST_ENTRIES = 2_000;

/** The report on an export or an import of another service’s format. */
export const reportSchema = v.object({
  target: v.pipe(v.string(), v.description('The format.')),
  at: v.pipe(v.string(), v.description('When it was made.')),
  sent: v.pipe(v.number(), v.integer(), v.description('How many dishes are carried.')),
  lossy: v.pipe(
    v.array(
      v.object({
        ...record,
        name,
        field: v.pipe(v.string(), v.description('The field that is not carried, or not whole.')),
        why,
      }),
    ),
    v.description('Fields of carried records that are not carried whole.'),
  ),
  left_out: v.pipe(
    v.array(v.object({ ...record, name, why })),
    v.description('Records that are not carried.'),
  ),
  more: v.optional(
    v.pipe(v.number(), v.integer(), v.description('Entries of an import that are not listed.')),
  ),
});
export type ExchangeReport = v.InferOutput<typeof reportSchema>;

/** A record as a report names it. */
export interface Reported {
  resource: string;
  id: number | string | null;
  name: string;
}

/** Collects the losses of one exchange. */
export interface Losses {
  lossy(record: Reported, field: string, why: Loss): void;
  leftOut(record: Reported, why: Loss): void;
  /** Whether a field of a record is named already. */
  names(record: Reported, field: string): boolean;
  report(sent: number): ExchangeReport;
}

/** @param at the moment of the exchange */
export function collectLosses(target: string, at: Date): Losses {
  const lossy: ExchangeReport['lossy'] = [];
  const leftOut: ExchangeReport['left_out'] = [];
  const said = new Set<string>();
  const named = new Set<string>();
  const key = ({ resource, id }: Reported, field: string) => `${resource}/${id}/${field}`;
  return {
    lossy: ({ resource, id, name: called }, field, reason) => {
      const place = `${resource}/${id}/${field}`;
      named.add(place);
      if (said.has(`${place}/${reason}`)) return;
      said.add(`${place}/${reason}`);
      lossy.push({ resource, id, name: called, field, why: reason });
    },
    leftOut: ({ resource, id, name: called }, reason) => {
      leftOut.push({ resource, id, name: called, why: reason });
    },
    names: (one, field) => named.has(key(one, field)),
    report: (sent) => ({ target, at: at.toISOString(), sent, lossy, left_out: leftOut }),
  };
}

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

/** How an export is asked for. */
export interface OutOptions {
  /** The language of services that have one; null is the restaurant’s own. */
  locale: Locale | null;
  /** The moment at which the menu is read. */
  at: Date;
  /** VAT in percent, for services that want it. */
  vatFood: number | null;
  vatDrinks: number | null;
  /** The origin of the restaurant’s pages and photos, such as `https://trattoria.example`. */
  origin: string;
  /** The paths of uploaded photos by their ids. */
  photoPaths: ReadonlyMap<number, string>;
}

/** A document of a service with the report on what it lacks. */
export interface Exported {
  document: Record<string, unknown>;
  report: ExchangeReport;
}

/** A text that is cut at a word, where it is longer than a service takes. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const space = head.lastIndexOf(' ');
  const cut = space > max / 2 ? head.slice(0, space) : head;
  // Half a sign of two units is none.
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd();
}
