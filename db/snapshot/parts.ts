import { hash } from 'node:crypto';
import type { Locale } from '../schema/values/locale.ts';
import { listIn } from '../schema/values/row.ts';
import type { Branch, MenuHead } from '../sql/snapshots.ts';
import type { Facts } from './facts.ts';

/** Names content: 128 bits of the SHA-256 of `texts`, which are kept apart. */
export function digest(texts: readonly string[]): string {
  // In one call: each takes as long as hashing some kilobytes.
  return hash('sha256', `${texts.join('\n')}\n`, 'base64url').slice(0, 22);
}

/** A dish as filters see it. */
export interface DishKey {
  id: number;
  /** The fields that filters of `/items` look at, by name. */
  filters: Readonly<Record<string, unknown>>;
}

/** The allergens of a dish with its choices. */
export function factsOfKey({ filters }: DishKey): Facts {
  const { facts, allergens, traces, allergen_detail, allergens_declared: isDeclared } = filters;
  if (facts) return facts as Facts;
  const has = [allergens, traces, allergen_detail].flatMap(listIn) as string[];
  return { has: isDeclared ? has : null, choices: [] };
}

/** A dish, and where its JSON lies in that of its section, in bytes. */
export interface DishPart extends DishKey {
  start: number;
  end: number;
}

/**
 * The dishes of a section in one locale. Until somebody asks for one they are a text: most menus are
 * only read as a whole, and objects for every dish would be dear to make, to hold and to look through.
 */
export class SectionDishes {
  readonly length: number;
  #keys: Buffer | null;
  readonly #edges: readonly number[];
  #parts: readonly DishPart[] = [];

  /**
   * @param keys the `DishKey`s, as JSON
   * @param edges where each dish begins in the section's JSON, in bytes, and a byte behind the end of
   *   the last one; a comma is between two
   */
  constructor(keys: string, edges: readonly number[]) {
    this.length = edges.length - 1;
    this.#keys = Buffer.from(keys);
    this.#edges = edges;
  }

  /** The arguments of the constructor. @throws Error after `all` */
  stored(): { keys: string; edges: readonly number[] } {
    if (!this.#keys) throw new Error('the dishes are no text any more');
    return { keys: String(this.#keys), edges: this.#edges };
  }

  /** The same list each time. */
  all(): readonly DishPart[] {
    if (!this.#keys) return this.#parts;
    const keys: DishKey[] = JSON.parse(String(this.#keys));
    this.#parts = keys.map(({ id, filters }, index) => ({
      ...{ id, filters },
      start: this.#edges[index] as number,
      end: (this.#edges[index + 1] as number) - 1,
    }));
    this.#keys = null;
    return this.#parts;
  }
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
  dishes: SectionDishes;
}

/** The part of the menu's head that a snapshot has, which is a menu in one locale. */
export interface SnapshotHead extends Pick<MenuHead, 'version' | 'generatedAt' | 'order'> {
  locale: Locale;
  /** Finished JSON. */
  settings: string;
  theme: string;
  tree: Branch[];
}

export function headIn(head: MenuHead, locale: Locale): SnapshotHead {
  const { version, generatedAt, order, tree } = head;
  return {
    version,
    generatedAt,
    order,
    locale,
    settings: head.settings[locale] ?? '',
    theme: head.theme[locale] ?? '',
    tree,
  };
}

export const BODY_NAMES = ['menu', 'restaurant', 'theme', 'categories'] as const;
export type BodyName = (typeof BODY_NAMES)[number];

/** One finished answer, not compressed. */
export interface Body {
  /** Strong, quotes included. */
  etag: string;
  identity: Buffer;
}

/** Everything that is needed to answer for one tenant in one locale. */
export interface Snapshot {
  head: SnapshotHead;
  /** A finished answer; all but the menu are made when they are asked for first. */
  body(name: BodyName): Body;
  /** Visible sections in the order of `/items`; their JSON is a view of the menu's body. */
  sections: readonly SectionPart[];
  /** Sections with those below them as finished JSON, made likewise. */
  branches(): ReadonlyMap<number, Buffer>;
}
