import type { ExchangeReport, Loss } from '../schema/exchange-report.ts';
import type { Locale } from '../schema/values/locale.ts';

// Collects what an exchange with another service loses.

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
  /** A text that is cut at a word, where it is longer than a service takes; then it is named. */
  cut(record: Reported, field: string, text: string, max: number): string;
  /** Whether a field of a record is named already. */
  names(record: Reported, field: string): boolean;
  report(sent: number): ExchangeReport;
}

/** Where single losses are told. */
export type Telling = Pick<Losses, 'lossy'>;

/** @param at the moment of the exchange */
export function collectLosses(target: string, at: Date): Losses {
  const lossy: ExchangeReport['lossy'] = [];
  const leftOut: ExchangeReport['left_out'] = [];
  const said = new Set<string>();
  const named = new Set<string>();
  const placeOf = ({ resource, id }: Reported, field: string) => `${resource}/${id}/${field}`;
  const addLossy: Losses['lossy'] = (one, field, reason) => {
    const place = placeOf(one, field);
    named.add(place);
    if (said.has(`${place}/${reason}`)) return;
    said.add(`${place}/${reason}`);
    const { resource, id, name: called } = one;
    lossy.push({ resource, id, name: called, field, why: reason });
  };
  return {
    lossy: addLossy,
    cut: (one, field, text, max) => {
      const short = cutText(text, max);
      if (short !== text) addLossy(one, field, 'cutText');
      return short;
    },
    leftOut: ({ resource, id, name: called }, reason) => {
      leftOut.push({ resource, id, name: called, why: reason });
    },
    names: (one, field) => named.has(placeOf(one, field)),
    report: (sent) => ({ target, at: at.toISOString(), sent, lossy, left_out: leftOut }),
  };
}

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
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const space = head.lastIndexOf(' ');
  const cut = space > max / 2 ? head.slice(0, space) : head;
  // Half a sign of two units is none.
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd();
}
