import { decodeHTML } from 'entities/decode';
import type { AllergenKey, AllergenKind } from '../schema/dictionary.ts';
import { currencyDecimals } from '../schema/values/currency.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import {
  allergensWithKinds,
  byWord,
  SQUARE_DIETS,
  SQUARE_INGREDIENTS,
} from './allergen-crosswalk.ts';
import { readSpan, windowsFrom } from './day-spans.ts';
import {
  fieldsOf,
  type InDish,
  type InOptions,
  numberOf,
  textOf,
  textsInList,
  untilOf,
} from './in-menu.ts';
import { known, nameOthers, spansOf } from './in-rest.ts';
import type { Incoming } from './incoming.ts';
import type { Reported } from './report.ts';
import { REGULAR, SQUARE_DAYS } from './square.ts';
import { ALL_LABELS, dishLabelNamed, kindNamed } from './tag-names.ts';

const INGREDIENTS = byWord<AllergenKey, string>(SQUARE_INGREDIENTS);
const DIETS = byWord(SQUARE_DIETS);

/** The id of an object, without the sign and the collection of those that an export has made. */
const keyOf = (id: unknown) => textOf(id).replace(/^#(\w+:)?/, '');

/** The text of Square's small HTML: a paragraph a line. */
export function textOfMarkup(markup: string): string {
  return decodeHTML(
    markup.replace(/<\/p>\s*<p[^>]*>|<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, ''),
  ).trim();
}

interface Source {
  objects: ReadonlyMap<string, Row>;
  of(type: string): Row[];
}

function sourceOf(root: Row): Source | null {
  const batches = rowsIn(root.batches).flatMap(({ objects }) => rowsIn(objects));
  const all = Array.isArray(root.objects) ? rowsIn(root.objects) : batches;
  if (!Array.isArray(root.objects) && !Array.isArray(root.batches)) return null;
  const present = all.filter(({ is_deleted }) => is_deleted !== true);
  return {
    objects: new Map(present.map((object) => [textOf(object.id), object])),
    of: (type) => present.filter((object) => object.type === type),
  };
}

function moneyIn({ currency }: InOptions, money: unknown): number | null {
  const units = numberOf(fieldsOf(money).amount);
  return units === null ? null : units / 10 ** currencyDecimals(currency);
}

/** The declaration of ingredients; empty where none of the 14 is among them. */
function allergensOf(incoming: Incoming, record: Reported, list: unknown) {
  const names = rowsIn(list);
  const allergens = names.flatMap((one) => INGREDIENTS.get(one.standard_name) ?? []);
  const customs = names.filter(({ custom_name }) => textOf(custom_name) !== '');
  const kinds = customs.map(({ custom_name }) => kindNamed(textOf(custom_name)));
  if (kinds.includes(null)) incoming.losses.lossy(record, 'ingredients', 'unknownTag');
  const standard = names.filter(({ standard_name }) => textOf(standard_name) !== '');
  const sure = kinds.filter((kind) => kind !== null) as AllergenKind[];
  if (!standard.every(({ standard_name }) => INGREDIENTS.has(standard_name))) {
    // A list that is understood in part is no declaration.
    incoming.losses.lossy(record, 'allergens', 'unknownTag');
    return {};
  }
  if (allergens.length > 0) return { allergens: allergensWithKinds(allergens, sure), kinds: sure };
  if (sure.length > 0) incoming.losses.lossy(record, 'ingredients', 'unknownTag');
  return {};
}

function labelsOf(incoming: Incoming, record: Reported, list: unknown) {
  const found = rowsIn(list).map(({ standard_name, custom_name }) => {
    return standard_name ? (DIETS.get(standard_name) ?? null) : dishLabelNamed(textOf(custom_name));
  });
  if (found.includes(null)) incoming.losses.lossy(record, 'dietary_preferences', 'unknownTag');
  return { given: found.filter((key) => key !== null), known: ALL_LABELS };
}

/** Whether all sizes are sold out wherever the till says so; undefined where it does not. */
function soldOutOf(variations: readonly Row[]): string | null | undefined {
  const overrides = variations.flatMap((one) => rowsIn(one.location_overrides));
  const said = overrides.filter(({ sold_out }) => typeof sold_out === 'boolean');
  if (said.length === 0) return undefined;
  if (said.length < variations.length || said.some(({ sold_out }) => !sold_out)) return null;
  return untilOf(said[0]?.sold_out_valid_until);
}

/** The key of a dish: that of its first variation where it is one of ours or is known here. */
function dishKey({ id }: Row, variations: readonly Row[], { slug, find }: InOptions): string {
  const sku = textOf(variations[0]?.sku);
  const isOurs = sku.startsWith(`${slug}.items.`);
  return sku !== '' && (isOurs || find('items', { external_id: sku })) ? sku : keyOf(id);
}

function pricesOf(variations: readonly Row[], options: InOptions): Partial<InDish> {
  const isOpen = (one: Row) => one.pricing_type === 'VARIABLE_PRICING';
  const sizes = variations.map((one) => ({
    ...{ key: textOf(one.key), name: textOf(one.name) },
    price: isOpen(one) ? null : moneyIn(options, one.price_money),
  }));
  const isOnRequest = variations.length > 0 && variations.every(isOpen);
  const [only, second] = sizes;
  if (!second || isOnRequest) {
    const portion = second ? '' : (only?.name ?? '');
    return {
      ...{ price: only?.price ?? null, isOnRequest },
      ...(portion !== '' && portion !== REGULAR && { fields: { portion } }),
    };
  }
  return { price: null, sizes };
}

const imageOf = ({ objects }: Source, ids: unknown) => {
  const [id = ''] = textsInList(ids);
  return textOf(fieldsOf(objects.get(id)?.image_data).url);
};

/** Fields that are read, or that say nothing of a menu. */
const OBJECT = 'type id version updated_at created_at is_deleted present_at_all_locations';
const READ = {
  item: known(`${OBJECT} item_data`),
  itemData: known(`name description description_html description_plaintext categories category_id
    reporting_category modifier_list_info variations product_type image_ids tax_ids is_taxable
    is_alcoholic is_archived food_and_beverage_details sort_name abbreviation
    skip_modifier_screen channels`),
  details: known('calorie_count dietary_preferences ingredients'),
  variation: known(`${OBJECT} item_variation_data`),
  variationData: known(`item_id name sku upc ordinal pricing_type price_money location_overrides
    sellable stockable track_inventory inventory_alert_type inventory_alert_threshold`),
  place: known(`location_id sold_out sold_out_valid_until track_inventory inventory_alert_type
    inventory_alert_threshold`),
  list: known(`${OBJECT} modifier_list_data`),
  listData: known(`name internal_name ordinal modifiers modifier_type min_selected_modifiers
    max_selected_modifiers selection_type`),
  modifier: known(`${OBJECT} modifier_data`),
  modifierData: known('name price_money ordinal modifier_list_id'),
  info: known(`modifier_list_id enabled ordinal`),
  category: known(`${OBJECT} category_data`),
  categoryData: known(`name category_type parent_category is_top_level availability_period_ids
    path_to_root online_visibility channels root_category`),
};

/** Names all of an item that has no place here. */
function nameRest({ losses }: Incoming, record: Reported, object: Row) {
  const data = fieldsOf(object.item_data);
  nameOthers(losses, record, object, READ.item);
  nameOthers(losses, record, data, READ.itemData);
  nameOthers(losses, record, fieldsOf(data.food_and_beverage_details), READ.details);
  for (const one of rowsIn(data.variations)) {
    const own = fieldsOf(one.item_variation_data);
    nameOthers(losses, record, one, READ.variation, 'variants');
    nameOthers(losses, record, own, READ.variationData, 'variants');
    for (const place of rowsIn(own.location_overrides)) {
      nameOthers(losses, record, place, READ.place, 'location_overrides');
    }
  }
  for (const info of rowsIn(data.modifier_list_info)) {
    nameOthers(losses, record, info, READ.info, 'modifier_list_info');
  }
  if (data.is_alcoholic === true) losses.lossy(record, 'is_alcoholic', 'noPlace');
  if (textsInList(data.image_ids).length > 1) losses.lossy(record, 'photo_url', 'noPlace');
}

function dishOf(incoming: Incoming, object: Row, source: Source): InDish {
  const { options } = incoming;
  const data = fieldsOf(object.item_data);
  const variations = rowsIn(data.variations)
    .filter(({ is_deleted }) => is_deleted !== true)
    .map((one) => ({ ...fieldsOf(one.item_variation_data), key: keyOf(one.id) }) as Row);
  const key = dishKey(object, variations, options);
  const name = textOf(data.name);
  const record = incoming.record('items', key, name);
  const details = fieldsOf(data.food_and_beverage_details);
  const lists = rowsIn(data.modifier_list_info).filter(({ enabled }) => enabled !== false);
  nameRest(incoming, record, object);
  const sections = rowsIn(data.categories).map(({ id }) => textOf(id));
  const [section = textOf(data.category_id) || textOf(fieldsOf(data.reporting_category).id)] =
    sections.filter((id) => source.objects.has(id));
  if (sections.length > 1) incoming.losses.lossy(record, 'category_id', 'oneSection');
  const kcal = numberOf(details.calorie_count);
  const prices = pricesOf(variations, options);
  const markup = textOf(data.description_html);
  return {
    ...{ key, section: section === '' ? REST : keyOf(section), name, price: null, ...prices },
    description: markup === '' ? textOf(data.description) : textOfMarkup(markup),
    groups: lists.map(({ modifier_list_id }) => keyOf(modifier_list_id)),
    ...allergensOf(incoming, record, details.ingredients),
    ...(details.dietary_preferences !== undefined && {
      labels: labelsOf(incoming, record, details.dietary_preferences),
    }),
    photo: imageOf(source, data.image_ids),
    soldOut: soldOutOf(variations),
    isHidden: data.is_archived === true,
    fields: { ...prices.fields, ...(kcal !== null && { kcal }) },
  };
}

function addGroups(incoming: Incoming, source: Source) {
  for (const object of source.of('MODIFIER_LIST')) {
    const data = fieldsOf(object.modifier_list_data);
    const key = keyOf(object.id);
    const name = textOf(data.name);
    if (data.modifier_type === 'TEXT') {
      incoming.losses.leftOut(incoming.record('modifier_groups', key, name), 'noPlace');
      continue;
    }
    const record = incoming.record('modifier_groups', key, name);
    nameOthers(incoming.losses, record, object, READ.list);
    nameOthers(incoming.losses, record, data, READ.listData);
    const max = numberOf(data.max_selected_modifiers) ?? -1;
    const single = data.selection_type === 'SINGLE' ? 1 : null;
    incoming.group({
      ...{ key, name, min: Math.max(numberOf(data.min_selected_modifiers) ?? 0, 0) },
      max: max > 0 ? max : single,
      options: rowsIn(data.modifiers).map((modifier) => {
        const option = fieldsOf(modifier.modifier_data);
        nameOthers(incoming.losses, record, modifier, READ.modifier, 'options');
        nameOthers(incoming.losses, record, option, READ.modifierData, 'options');
        // A modifier without a price is free there.
        const { price_money: money } = option;
        const price = money === undefined ? 0 : moneyIn(incoming.options, money);
        return { key: keyOf(modifier.id), name: textOf(option.name), price };
      }),
    });
  }
}

/** Where dishes without a category stand. */
const REST = 'square.rest';

function hoursOf(incoming: Incoming, record: Reported, { objects }: Source, ids: unknown) {
  const spans = spansOf(incoming.losses, record, textsInList(ids), (id) => {
    const period = fieldsOf(objects.get(id)?.availability_period_data);
    const day = SQUARE_DAYS.indexOf(textOf(period.day_of_week));
    return readSpan(day, period.start_local_time, period.end_local_time);
  });
  return windowsFrom(spans);
}

const isOfKitchen = (object: Row) =>
  fieldsOf(object.category_data).category_type === 'KITCHEN_CATEGORY';

/** A category behind those in which it stands, from the top down; a circle ends where it began. */
function pathOf({ objects }: Source, object: Row, added: ReadonlySet<Row>): Row[] {
  const path = new Set<Row>();
  let next: Row | undefined = object;
  while (next && !added.has(next) && !path.has(next)) {
    path.add(next);
    next = objects.get(textOf(fieldsOf(fieldsOf(next.category_data).parent_category).id));
  }
  return [...path].reverse();
}

function addSection(incoming: Incoming, source: Source, object: Row) {
  const { losses } = incoming;
  const key = keyOf(object.id);
  const data = fieldsOf(object.category_data);
  const record = incoming.record('categories', key, textOf(data.name));
  if (isOfKitchen(object)) {
    losses.lossy(record, 'category_type', 'noPlace');
    return;
  }
  nameOthers(losses, record, object, READ.category);
  nameOthers(losses, record, data, READ.categoryData);
  const above = source.objects.get(textOf(fieldsOf(data.parent_category).id));
  incoming.section({
    ...{ key, name: textOf(data.name), parent: above && keyOf(above.id) },
    hours: hoursOf(incoming, record, source, data.availability_period_ids),
  });
}

/** Categories, each behind the one in which it stands; those of the kitchen are none of the menu. */
function addSections(incoming: Incoming, source: Source) {
  const added = new Set<Row>();
  for (const object of source.of('CATEGORY')) {
    for (const one of pathOf(source, object, added)) {
      added.add(one);
      addSection(incoming, source, one);
    }
  }
}

/** Objects that are read with others, or not at all without a loss. */
const TYPES = new Set([
  ...['ITEM', 'CATEGORY', 'MODIFIER_LIST', 'MODIFIER', 'ITEM_VARIATION', 'IMAGE'],
  'AVAILABILITY_PERIOD',
]);

/** Square’s catalog, as its list or as the body of an upsert. A step is one dish. */
export function* squareIn(given: unknown, incoming: Incoming): Generator<void, boolean> {
  const source = sourceOf(fieldsOf(given));
  if (!source) return false;
  yield* incoming.readCurrencies([...source.objects.values()]);
  addGroups(incoming, source);
  addSections(incoming, source);
  for (const object of source.of('ITEM')) {
    const dish = dishOf(incoming, object, source);
    if (dish.section === REST) incoming.section({ key: REST, name: 'Menu' });
    incoming.dish(dish.key, () => dish);
    yield;
  }
  for (const object of source.objects.values()) {
    if (TYPES.has(textOf(object.type))) continue;
    const data = Object.entries(object).find(([name]) => name.endsWith('_data'))?.[1];
    const named = { resource: textOf(object.type), id: textOf(object.id) };
    incoming.losses.leftOut({ ...named, name: textOf(fieldsOf(data).name) }, 'noPlace');
  }
  return true;
}
