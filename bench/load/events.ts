import { createRandom, type Random } from './random.ts';

/** An event as a display sends it. */
export interface SentEvent {
  type: string;
  item_id?: number;
  category_id?: number;
  allergen?: string;
  query?: string;
  results?: number;
  locale?: string;
  visitor_id: string;
  occurred_at: string;
  id: string;
}

/** The subjects, times and visitors of the events. */
export interface World {
  items: readonly number[];
  sections: readonly number[];
  /** Events lie between these moments, in ms since 1970. */
  from: number;
  to: number;
  visitors: number;
}

const ALLERGENS = ['cereali_glutine', 'latte', 'uova', 'pesce', 'crostacei', 'frutta_guscio'];
const LOCALES = ['it', 'it', 'it', 'en', 'en', 'de', 'fr', 'es'];
const QUERIES = ['tortelli', 'vino rosso', 'senza glutine', 'spritz', 'pizza'];
const TYPES = ['menu_view', 'section_view', 'item_view', 'item_view', 'item_view', 'search'].concat(
  ['allergen_filter', 'locale_change', 'review_click'],
);
/** One of 25 dishes and sections does not exist. */
const UNKNOWN_EVERY = 25;
const UNKNOWN_ID = 2_000_000_000;

/** Picks the first dishes far more often than the last. */
function pickPopular(random: Random, ids: readonly number[]): number {
  return ids[Math.floor(ids.length * random.next() ** 2)] as number;
}

function subjectOf(type: string, random: Random, world: World): Partial<SentEvent> {
  const known = random.below(UNKNOWN_EVERY) > 0;
  if (type === 'item_view') {
    return { item_id: known ? pickPopular(random, world.items) : UNKNOWN_ID + random.below(9) };
  }
  if (type === 'section_view') {
    return { category_id: known ? pickPopular(random, world.sections) : UNKNOWN_ID };
  }
  if (type === 'search') return { query: random.pick(QUERIES), results: random.below(3) };
  if (type === 'allergen_filter') return { allergen: random.pick(ALLERGENS) };
  return type === 'locale_change' ? { locale: random.pick(LOCALES) } : {};
}

/** A generator of events of all types: the same seed and world give the same events. */
export function createEvents(seed: number, world: World): () => SentEvent {
  const random = createRandom(seed);
  let count = 0;
  return () => {
    count += 1;
    const type = random.pick(TYPES);
    const time = world.from + random.below(world.to - world.from);
    return {
      type,
      ...(random.below(10) > 0 && { locale: random.pick(LOCALES) }),
      ...subjectOf(type, random, world),
      visitor_id: `visitor ${random.below(world.visitors)}`,
      occurred_at: new Date(time).toISOString(),
      id: `${seed}-${count}`,
    };
  };
}
