import { keysOf } from '../runtime/keys.ts';
import type { Fields } from '../schema/field.ts';
import { records } from '../schema/registry.ts';
import {
  type MovedPair,
  pairOf,
  type SourceLanguages,
  sourceOf,
  textDigest,
} from '../schema/translation.ts';
import { type Translations, textsIn } from '../schema/values/locale.ts';
import type { Change } from '../schema/version.ts';
import { sideOf } from './past-menu.ts';

function movedIn(before: Translations, after: Translations, house: SourceLanguages): MovedPair[] {
  const [old, next] = [sourceOf(before, null, house), sourceOf(after, null, house)];
  if (!old || !next || old.locale !== next.locale) return [];
  return keysOf(before).flatMap((locale) => {
    const [was, now] = [before[locale], after[locale]];
    if (!was || locale === old.locale || (old.text === next.text && was === now)) return [];
    const pair = was === now ? pairOf(locale, next.text, was) : null;
    const digests = { source: textDigest(old.text), now: textDigest(next.text) };
    return [{ was: pairOf(locale, old.text, was), pair, ...digests }];
  });
}

function movedInFields(
  fields: Fields,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  house: SourceLanguages,
): MovedPair[] {
  return Object.keys(before).flatMap((name) => {
    const { isTranslated, parts } = fields[name] ?? {};
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    if (isTranslated && old !== null && now !== null) {
      return movedIn(textsIn(old), textsIn(now), house);
    }
    if (!parts || !Array.isArray(old) || !Array.isArray(now)) return [];
    // The objects of a list have no names. Where their number changes, no text is called stale.
    if (old.length !== now.length) return [];
    return old.flatMap((row, at) => movedInFields(parts, row, now[at], house));
  });
}

/**
 * The translations that a difference has parted from their sources, or from their own words. A step is
 * one record.
 */
export function* movedPairs(
  changes: readonly Change[],
  house: SourceLanguages,
): Generator<void, MovedPair[]> {
  const pairs: MovedPair[] = [];
  for (const change of changes) {
    if (change.action !== 'changed') continue;
    const { fields } = records[change.resource];
    pairs.push(...movedInFields(fields, sideOf(change, 0), sideOf(change, 1), house));
    yield;
  }
  return pairs;
}
