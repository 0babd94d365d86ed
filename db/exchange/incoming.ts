import { DOCUMENT_FORMAT } from '../schema/bulk.ts';
import type { Row } from '../schema/values/row.ts';
import { COURSE, SIZES } from './flat-groups.ts';
import { coursesOf, groupReferences, sizesOf, writeGroup } from './in-groups.ts';
import {
  type ExchangeImport,
  type InDish,
  type InGroup,
  type InOptions,
  type InSection,
  isEmptyText,
  type State,
} from './in-menu.ts';
import { nameRecord, presentOf, referenceTo, reportedAs } from './in-names.ts';
import { MOST, priceOf, texts, whyNoPrice } from './in-values.ts';
import { collectLosses, type Reported } from './report.ts';

// Gathers the records of one import, and makes of them the document that an import of Lavagna takes.
// Fields that the service does not state stay as they are here.

const OWN_PHOTO = /\/media\/[0-9a-f]{32}-\d+\.\w+$/;

/** Adds a section; a second one of its key is the same. */
function addSection(state: State, given: InSection): void {
  const record = reportedAs('categories', given.key, given.name);
  if (state.names.has(`categories/${given.key}`)) return;
  if (isEmptyText(given.name)) {
    state.losses.leftOut(record, 'noName');
    return;
  }
  const name = nameRecord(state, 'categories', given.key, given.name);
  const present = presentOf(state, 'categories', name);
  const parent =
    given.parent === undefined ? undefined : state.names.get(`categories/${given.parent}`);
  const windows = given.hours?.slice(0, MOST.hours);
  if ((given.hours?.length ?? 0) > MOST.hours) state.losses.lossy(record, 'hours', 'tooMany');
  state.rows.categories.push({
    ...name,
    ...(parent && referenceTo('parent', parent)),
    name: texts(state, given.name, present?.name, record, 'name', MOST.name),
    ...(given.notes !== undefined && {
      notes: texts(state, given.notes, present?.notes, record, 'notes', MOST.text),
    }),
    ...(windows && { hours: windows, time_visibility_enabled: windows.length > 0 }),
  });
}

/** Keys for which the service has words are its own; the others stay as they are here. */
function merged(given: readonly string[], known: ReadonlySet<string>, present: unknown) {
  const kept = (Array.isArray(present) ? (present as string[]) : []).filter(
    (key) => !known.has(key),
  );
  return [...new Set([...given, ...kept])];
}

function pictureOf(
  state: State,
  { photo }: InDish,
  present: Row | undefined,
  record: Reported,
): Row {
  if (photo === undefined || photo === null || photo === '') return {};
  // A photo of our own comes back under its address.
  if (OWN_PHOTO.test(photo) && present?.photo_id) return {};
  if (/^https:\/\/\S+$/i.test(photo) && photo.length <= 2_000) return { photo_url: photo };
  state.losses.lossy(record, 'photo_url', 'photoAddress');
  return {};
}

function moneyOf(
  state: State,
  dish: InDish,
  present: Row | undefined,
  record: Reported,
): Row | null {
  const sizes = sizesOf(state, dish, record);
  if (sizes.length > 0) return { variants: sizes, price_on_request: dish.isOnRequest ?? false };
  const price = priceOf(state, dish.price);
  if (price !== null) return { price, variants: [], price_on_request: dish.isOnRequest ?? false };
  if (dish.isOnRequest) return { price_on_request: true, variants: [] };
  if (!present) return null;
  state.losses.lossy(record, 'price', whyNoPrice(state));
  return {};
}

function saidOf(dish: InDish, present: Row | undefined): Row {
  const { allergens, knownAllergens, kinds, labels, soldOut } = dish;
  const contained =
    allergens && knownAllergens ? merged(allergens, knownAllergens, present?.allergens) : allergens;
  return {
    ...(contained && { allergens: contained }),
    ...(contained && kinds && kinds.length > 0 && { allergen_detail: kinds }),
    ...(labels && { labels: merged(labels.given, labels.known, present?.labels) }),
    ...(soldOut !== undefined && { sold_out_until: soldOut }),
    ...(dish.offers && { offers: dish.offers.slice(0, MOST.offers) }),
  };
}

function addDish(state: State, given: InDish): void {
  const record = reportedAs('items', given.key, given.name);
  const within = state.names.get(`categories/${given.section}`);
  if (state.names.has(`items/${given.key}`)) {
    state.losses.lossy(record, 'category_id', 'oneSection');
    return;
  }
  if (isEmptyText(given.name) || !within) {
    state.losses.leftOut(record, isEmptyText(given.name) ? 'noName' : 'emptySection');
    return;
  }
  const sectionId = presentOf(state, 'categories', within)?.id as number | undefined;
  const name = nameRecord(state, 'items', given.key, given.name, sectionId);
  const present = presentOf(state, 'items', name);
  if (given.isHidden) {
    state.losses.leftOut(record, 'hidden');
    if (present) state.rows.items.push({ ...name, is_active: false });
    return;
  }
  const money = moneyOf(state, given, present, record);
  if (!money) {
    state.names.delete(`items/${given.key}`);
    state.losses.leftOut(record, whyNoPrice(state));
    return;
  }
  if ((given.offers?.length ?? 0) > MOST.offers) state.losses.lossy(record, 'offers', 'tooMany');
  const courses = coursesOf(state, given, record);
  state.sent += 1;
  state.rows.items.push({
    ...name,
    ...referenceTo('category', within),
    name: texts(state, given.name, present?.name, record, 'name', MOST.name),
    ...(given.description !== undefined && {
      description: texts(
        state,
        given.description,
        present?.description,
        record,
        'description',
        MOST.text,
      ),
    }),
    ...money,
    ...groupReferences(state, given, record),
    ...(courses.length > 0 && { courses }),
    ...saidOf(given, present),
    ...pictureOf(state, given, present, record),
    ...given.fields,
  });
}

/** Groups that no dish has are there all the same. */
function finish(state: State): ExchangeImport {
  for (const [key, given] of state.groups) {
    const isOurs = key.endsWith(SIZES) || COURSE.test(key);
    if (!isOurs) writeGroup(state, given);
  }
  const { rows, losses, sent } = state;
  return { document: { format: DOCUMENT_FORMAT, ...rows }, report: losses.report(sent) };
}

/** Gathers the records of one import. */
export function createIncoming(target: string, options: InOptions) {
  const losses = collectLosses(target, options.at);
  const slug = options.slug.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const state: State = {
    ...{ options, losses, names: new Map(), claimed: new Set(), groups: new Map() },
    own: new RegExp(`^${slug}\\.(categories|modifier_groups|items)\\.(\\d{1,9})$`),
    rows: { categories: [], modifier_groups: [], items: [] },
    ...{ made: new Map(), isForeign: false, sent: 0 },
  };
  return {
    losses,
    record: reportedAs,
    group: (given: InGroup) => {
      if (!state.groups.has(given.key)) state.groups.set(given.key, given);
    },
    section: (given: InSection) => addSection(state, given),
    dish: (given: InDish) => addDish(state, given),
    /** The currency of the document: prices of another one are not taken. */
    currency: (code: unknown) => {
      const isOther =
        typeof code === 'string' && code !== '' && code.toUpperCase() !== options.currency;
      if (isOther) state.isForeign = true;
    },
    finish: () => finish(state),
  };
}
export type Incoming = ReturnType<typeof createIncoming>;
