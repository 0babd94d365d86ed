import * as v from 'valibot';
import { TEXT_SEPARATOR } from '../../postgres/sql.ts';
import type { Locale } from '../../schema/locale.ts';

/** Raised when what an earlier build stored cannot be read any more, or gives other answers. */
export const SNAPSHOT_FORMAT = 5;

/** Between the templates of sections that a statement returns as one text. */
export const TEMPLATE_SEPARATOR = TEXT_SEPARATOR;

/** A section and the sections below it, in display order. */
export type Branch = [id: number, children: Branch[]];

/** The parts of a menu around its sections, and the order of the sections. */
export interface MenuHead {
  version: number;
  /** ISO 8601 with offset: the time at which the menu was built. */
  generatedAt: string;
  /** Finished JSON in each of the locales. */
  settings: Partial<Record<Locale, string>>;
  theme: Partial<Record<Locale, string>>;
  /** The sections in the order of `/menu` and `/items`. */
  order: number[];
  /** The sections as `/categories` nests them. */
  tree: Branch[];
  /** The locales that the restaurant is served in. */
  locales: Locale[];
  defaultLocale: Locale;
}

/** A head in the database is written by our own build, in the same format: its JSON is not checked. */
export const headSchema = v.pipe(
  v.string(),
  v.transform((text) => JSON.parse(text) as MenuHead),
);
