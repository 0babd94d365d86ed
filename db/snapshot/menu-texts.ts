import { keysOf } from '../runtime/keys.ts';
import type { Field, Fields } from '../schema/field.ts';
import { toDocument } from '../schema/record.ts';
import { MENU_COLLECTIONS, records } from '../schema/registry.ts';
import {
  pairOf,
  type Source,
  type StaleText,
  sourceOf,
  type TranslationState,
} from '../schema/translation.ts';
import { type Locale, type Translations, textsIn } from '../schema/values/locale.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import { recordsOf, type StoredMenu } from '../sql/menus.ts';

/** A text of a menu with its translation into one language. */
export interface MenuText {
  resource: Resource;
  id: number;
  externalId: string | null;
  /** The record as documents have it. */
  row: Row;
  /** The fields that lead to it, and the places in lists: `['variants', 0, 'label']`. */
  path: readonly (string | number)[];
  field: Field;
  source: Source;
  /** Empty when it is missing. */
  text: string;
  state: TranslationState;
}

/** A text in all its languages, and where it stands. */
type TextPlace = Pick<MenuText, 'path' | 'field'> & { texts: Translations };

function placesIn(fields: Fields, row: Row, above: MenuText['path'] = []): TextPlace[] {
  return Object.entries<Field>(fields).flatMap(([name, field]) => {
    const value = row[name] ?? null;
    const path = [...above, name];
    if (field.isTranslated) return [{ path, field, texts: textsIn(value) }];
    const { parts } = field;
    if (!parts) return [];
    return rowsIn(value).flatMap((one, at) => placesIn(parts, one, [...path, at]));
  });
}

function* rowsOf(menu: StoredMenu) {
  for (const resource of [...SINGLETONS, ...MENU_COLLECTIONS]) {
    const record = records[resource];
    for (const stored of recordsOf(menu, record)) yield { resource, record, stored };
  }
}

/**
 * Every text of a menu that has a source, with its translation into a language: what is missing first,
 * then what is stale, then the rest, each in the order of a document. A step is one record.
 *
 * @param stale pairs of translations and sources that do not fit any more
 */
export function* menuTexts(
  menu: StoredMenu,
  locale: Locale,
  stale: ReadonlySet<string>,
): Generator<void, MenuText[]> {
  const found: Record<TranslationState, MenuText[]> = { missing: [], stale: [], done: [] };
  for (const { resource, record, stored } of rowsOf(menu)) {
    yield;
    const row = toDocument(record, stored);
    const externalId = typeof stored.external_id === 'string' ? stored.external_id : null;
    for (const { path, field, texts } of placesIn(record.fields, row)) {
      const source = sourceOf(texts, locale, menu.settings);
      if (!source) continue;
      const text = texts[locale] ?? '';
      const isStale = text !== '' && stale.has(pairOf(locale, source.text, text));
      const state = text === '' ? 'missing' : isStale ? 'stale' : 'done';
      const place = { resource, id: stored.id, externalId, row, path, field };
      found[state].push({ ...place, source, text, state });
    }
  }
  return [...found.missing, ...found.stale, ...found.done];
}

/** The stale translations of a menu, as documents have them; each once. A step is one record. */
export function* staleTexts(
  menu: StoredMenu,
  stale: ReadonlySet<string>,
): Generator<void, StaleText[]> {
  const found = new Map<string, StaleText>();
  for (const { record, stored } of rowsOf(menu)) {
    yield;
    for (const { texts } of placesIn(record.fields, toDocument(record, stored))) {
      for (const locale of keysOf(texts)) {
        const source = sourceOf(texts, locale, menu.settings);
        const text = texts[locale] ?? '';
        const pair = source && pairOf(locale, source.text, text);
        if (source && pair && stale.has(pair)) {
          found.set(pair, { locale, source: source.text, text });
        }
      }
    }
  }
  return [...found.values()];
}
