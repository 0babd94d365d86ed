import { DOCUMENT_FORMAT } from '../schema/bulk.ts';
import { ALLERGEN_OF, type AllergenKind } from '../schema/dictionary.ts';
import { listIn, type Row } from '../schema/values/row.ts';
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
  type Text,
} from './in-menu.ts';
import { nameRecord, presentOf, referenceTo, reportedAs } from './in-names.ts';
import { currenciesIn, MOST, priceOf, texts, whyNoPrice } from './in-values.ts';
import { collectLosses, type Reported } from './report.ts';

// Gathers the records of one import, and makes of them the document that an import of Lavagna takes.
// Fields that the service does not state stay as they are here.

const OWN_PHOTO = /\/media\/[0-9a-f]{32}-\d+\.\w+$/;

/** Adds a section; of several with one key the first one counts. */
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
  if (!present) state.places.set(given.key, 0);
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
function merged<K extends string>(
  given: readonly K[],
  known: ReadonlySet<string>,
  present: unknown,
): K[] {
  const kept = (listIn(present) as K[]).filter((key) => !known.has(key));
  return [...new Set([...given, ...kept])];
}

/** The kinds of allergens: those of here stay where the service says nothing of their allergen. */
function kindsOf(
  { kinds = [], knownAllergens }: InDish,
  contained: readonly string[],
  present: Row | undefined,
) {
  if (kinds.length === 0) return {};
  const kept = (listIn(present?.allergen_detail) as AllergenKind[]).filter((kind) => {
    return knownAllergens !== undefined || !contained.includes(String(ALLERGEN_OF.get(kind)));
  });
  return { allergen_detail: [...new Set([...kinds, ...kept])] };
}

function pictureOf(
  state: State,
  { photo }: InDish,
  present: Row | undefined,
  record: Reported,
): Row {
  if (!photo) return {};
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
  const sizes = sizesOf(state, dish, present, record);
  if (sizes.length > 0) return { variants: sizes, price_on_request: dish.isOnRequest ?? false };
  const price = priceOf(state, dish.price);
  if (price !== null) return { price, variants: [], price_on_request: dish.isOnRequest ?? false };
  if (dish.isOnRequest) return { price_on_request: true, variants: [] };
  if (!present) return null;
  state.losses.lossy(record, 'price', whyNoPrice(state));
  return {};
}

function saidOf(dish: InDish, present: Row | undefined): Row {
  const { allergens, knownAllergens, labels, soldOut } = dish;
  const contained =
    allergens && knownAllergens ? merged(allergens, knownAllergens, present?.allergens) : allergens;
  return {
    ...(contained && { allergens: contained, ...kindsOf(dish, contained, present) }),
    ...(labels && { labels: merged(labels.given, labels.known, present?.labels) }),
    ...(soldOut !== undefined && { sold_out_until: soldOut }),
    ...(dish.offers && { offers: dish.offers.slice(0, MOST.offers) }),
  };
}

/** Fields of a dish with texts, for which a service may have one plain text. */
const TEXTS = new Set(['description', 'ingredients', 'portion']);

/** The fields that are taken as they are, plain texts in the language of the import. */
function statedOf(state: State, fields: Row, present: Row | undefined, of: Reported) {
  const stated = Object.entries(fields).map(([field, value]) => {
    if (!TEXTS.has(field)) return [field, value];
    return [field, texts(state, value as Text, present?.[field], of, field, MOST.text)];
  });
  return Object.fromEntries(stated);
}

/** The place of a new dish in a new section, which a set menu keeps though it is written last. */
function placeOf({ places }: State, section: string, present: Row | undefined): Row {
  const place = places.get(section);
  if (place === undefined) return {};
  places.set(section, place + 1);
  return present ? {} : { display_order: place };
}

function addDish(state: State, given: InDish): void {
  const record = reportedAs('items', given.key, given.name);
  state.read.set(given.key, record);
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
  state.sent += 1;
  const { description } = given;
  const row: Row = {
    ...name,
    ...referenceTo('category', within),
    name: texts(state, given.name, present?.name, record, 'name', MOST.name),
    ...(description !== undefined && statedOf(state, { description }, present, record)),
    ...money,
    ...placeOf(state, given.section, present),
    ...groupReferences(state, given, record),
    ...saidOf(given, present),
    ...pictureOf(state, given, present, record),
    ...statedOf(state, given.fields ?? {}, present, record),
  };
  state.rows.items.push(row);
  const addCourses = () => {
    const courses = coursesOf(state, given, present, record);
    if (courses.length > 0) row.courses = courses;
  };
  // Courses of its own may name dishes that come later.
  if (given.courses?.length) state.later.push(addCourses);
  else addCourses();
}

/** Groups that no dish has are there all the same. */
function finish(state: State): ExchangeImport {
  for (const addCourses of state.later) addCourses();
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
    ...{ made: new Map(), places: new Map(), read: new Map(), later: [] },
    ...{ courseOptions: 0, isForeign: false, sent: 0 },
    own: new RegExp(`^${slug}\\.(categories|modifier_groups|items)\\.(\\d{1,9})$`),
    rows: { categories: [], modifier_groups: [], items: [] },
  };
  return {
    options,
    losses,
    record: reportedAs,
    group: (given: InGroup) => {
      if (!state.groups.has(given.key)) state.groups.set(given.key, given);
      else losses.leftOut(reportedAs('modifier_groups', given.key, given.name), 'sameKey');
    },
    section: (given: InSection) => addSection(state, given),
    /**
     * Adds a dish; one that stands in several sections is read in the first one.
     *
     * @param key its key as other parts of the document have it
     */
    dish: (key: string, read: () => InDish | null) => {
      const known = state.read.get(key);
      if (known) losses.lossy(known, 'category_id', 'oneSection');
      const given = known ? null : read();
      if (!given) return;
      addDish(state, given);
      state.read.set(key, reportedAs('items', given.key, given.name));
    },
    /** Looks for prices in another currency: then no price of the document is taken. */
    *readCurrencies(source: unknown): Generator<void> {
      const found = yield* currenciesIn(source);
      state.isForeign = [...found].some((code) => code !== options.currency);
    },
    /** Names a fact about the restaurant that has no place in an import of its menu. */
    fact: (id: string | null, name: string, field: string) => {
      losses.lossy({ resource: 'settings', id, name }, field, 'noPlace');
    },
    finish: () => finish(state),
  };
}
export type Incoming = ReturnType<typeof createIncoming>;
