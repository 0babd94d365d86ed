import { ALLERGEN_OF } from './dictionary.ts';
import { listIn, type Row, rowsIn } from './values/row.ts';

// Values of a dish that follow from those that were sent.

/** An allergen that a dish turns out to contain is no longer one that it may contain. */
function deriveAllergens(input: Row, after: Row): Row {
  if (!('allergens' in input)) return {};
  const contained = listIn(input.allergens);
  const traces = listIn(after.traces);
  return {
    allergens: contained,
    contains_none: input.allergens !== null && contained.length === 0,
    ...(!('traces' in input) && { traces: traces.filter((key) => !contained.includes(key)) }),
  };
}

/** Cereals and nuts go with the allergen that they are of. */
function deriveKinds(input: Row, after: Row): Row {
  if ('allergen_detail' in input || !('allergens' in input || 'traces' in input)) return {};
  const named = new Set([...listIn(after.allergens), ...listIn(after.traces)]);
  const kinds = listIn(after.allergen_detail);
  const kept = kinds.filter((kind) => named.has(ALLERGEN_OF.get(String(kind))));
  return kept.length === kinds.length ? {} : { allergen_detail: kept };
}

/** A wine has a year, or is a blend of several: the one takes the other away. */
function deriveVintage(input: Row): Row {
  if (typeof input.vintage === 'number' && !('non_vintage' in input)) return { non_vintage: false };
  return input.non_vintage === true && !('vintage' in input) ? { vintage: null } : {};
}

/** Why a dish is sold out goes when it is available again. */
function deriveNote(input: Row): Row {
  const isBack = input.sold_out_until === null && !('sold_out_note' in input);
  return isBack ? { sold_out_note: {} } : {};
}

/** The price of a dish with sizes is that of the cheapest. */
function derivePrice(input: Row, after: Row): Row {
  const sizes = rowsIn(after.variants);
  if (sizes.length === 0 || !('variants' in input || 'price' in input)) return {};
  return { price: Math.min(...sizes.map(({ price }) => Number(price))) };
}

/** All values that follow from a body. @param after the dish as it would be with it */
export function deriveDish(input: Row, after: Row): Row {
  const allergens = deriveAllergens(input, after);
  const { allergens: contained, traces, allergen_detail } = after;
  return {
    ...allergens,
    ...deriveKinds(input, { ...{ allergens: contained, traces, allergen_detail }, ...allergens }),
    ...derivePrice(input, after),
    ...deriveVintage(input),
    ...deriveNote(input),
  };
}
