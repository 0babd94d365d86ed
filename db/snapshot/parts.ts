import { createHash } from 'node:crypto';
import type { Locale } from '../schema/locale.ts';
import type { Branch, MenuHead } from '../sql/snapshots.ts';
import type { Facts } from './facts.ts';

/** Names content: 128 bits of the SHA-256 of `texts`, which are kept apart. */
export function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('base64url').slice(0, 22);
}

/** A dish as filters see it. */
export interface DishKey {
  id: number;
  /** The fields that filters of `/items` look at, by name. */
  filters: Readonly<Record<string, unknown>>;
}

/** The allergens of a dish with its choices. */
export function factsOfKey({ filters }: DishKey): Facts {
  const { facts, allergens, traces, allergens_declared: isDeclared } = filters;
  if (facts) return facts as Facts;
  const has = [...(allergens as string[]), ...(traces as string[])];
  return { has: isDeclared ? has : null, choices: [] };
}

/** A dish, and where its JSON lies in that of its section, in bytes. */
export interface DishPart extends DishKey {
  start: number;
  end: number;
}

/** Everything of a visible section in one locale that its own records decide. */
export interface SectionPart {
  id: number;
  /** Equal tags mean equal JSON in the locale. */
  tag: string;
  /** Length of the texts in the locale, names and descriptions, in characters of JSON. */
  textLength: number;
  /** The section with its dishes and types, without the brace that ends it. */
  json: Buffer;
  dishes: readonly DishPart[];
}

/** The part of the menu's head that a snapshot has, which is a menu in one locale. */
export interface SnapshotHead extends Pick<MenuHead, 'version' | 'generatedAt' | 'order'> {
  locale: Locale;
  /** Finished JSON. */
  settings: string;
  theme: string;
  /** Null in all but the default locale, in which alone `/categories` is answered. */
  tree: Branch[] | null;
}

export function headIn(head: MenuHead, locale: Locale): SnapshotHead {
  const { version, generatedAt, order, defaultLocale, tree } = head;
  return {
    version,
    generatedAt,
    order,
    locale,
    settings: head.settings[locale] ?? '',
    theme: head.theme[locale] ?? '',
    tree: locale === defaultLocale ? tree : null,
  };
}
