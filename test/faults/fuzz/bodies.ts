import type { Random } from '../../../bench/load/random.ts';
import { garble, oddBytes, oddText, oddValue } from './values.ts';

type Fields = Record<string, (random: Random) => unknown>;

const name = (random: Random) => ({ it: `Prova ${random.below(1_000)}`, en: 'Trial' });
const text = (random: Random) => `testo ${random.below(1_000)}`;
const flag = (random: Random) => random.pick([true, false, 0, 1, '0', '1']);
const order = (random: Random) => random.below(100);
/** Sections, dishes and so on of a small restaurant have small ids. */
const id = (random: Random) => 1 + random.below(random.next() < 0.8 ? 9 : 300);
const color = () => '#112233';
const url = () => 'https://example.com/';

/** Values that are accepted, by resource and field. */
const RECORDS: Record<string, Fields> = {
  categories: {
    name,
    menu_type: (random) => random.pick(['standard', 'wine']),
    parent_id: (random) => (random.next() < 0.8 ? null : id(random)),
    notes: text,
    display_order: order,
    is_active: flag,
    show_subcategories: flag,
    time_visibility_enabled: flag,
    time_start: () => '12:00',
    time_end: () => '15:00',
  },
  items: {
    category_id: id,
    type_id: (random) => (random.next() < 0.8 ? null : id(random)),
    winery_id: (random) => (random.next() < 0.8 ? null : id(random)),
    name,
    description: name,
    price: (random) => random.below(10_000) / 100,
    allergens: (random) => random.pick([[], ['latte'], ['uova', 'pesce']]),
    is_active: flag,
    is_recommended: flag,
    display_order: order,
  },
  types: { category_id: id, name, display_order: order, is_active: flag },
  wineries: { name: text, region: text, country: text, website: url, description: name },
  settings: {
    name: text,
    logo_url: url,
    cover_image_url: url,
    cover_charge_text: text,
    allergen_info: text,
    review_url: url,
    recommended_label: text,
    business_name: text,
    vat_number: text,
    address: text,
    phone: text,
    email: () => 'iole@example.com',
    default_locale: (random) => random.pick(['it', 'en']),
    supported_locales: () => ['it', 'en', 'de'],
    timezone: () => 'Europe/Rome',
  },
  theme: {
    primary_color: color,
    secondary_color: color,
    accent_color: color,
    background_color: color,
    text_color: color,
    font_family: () => 'serif',
    font_url: url,
    border_radius: () => '4px',
    layout_variant: (random) => random.pick(['classic', 'grid', 'compact', 'slides']),
    header_style: (random) => random.pick(['centered', 'left', 'banner', 'minimal']),
    footer_text: text,
  },
};

export const COLLECTIONS = ['categories', 'items', 'types', 'wineries'] as const;
export const RESOURCES = Object.keys(RECORDS);

const EVENT: Fields = {
  type: (random) => random.pick(['menu_view', 'section_view', 'item_view', 'search']),
  item_id: id,
  category_id: id,
  allergen: () => 'latte',
  query: text,
  locale: (random) => random.pick(['it', 'en', 'de']),
  visitor_id: (random) => `visitor ${random.below(50)}`,
  id: (random) => `event ${random.below(100_000)}`,
  occurred_at: () => new Date().toISOString(),
};

/** Valid when `oddness` is 0; above, each field is odd, missing or unknown with that probability. */
function makeObject(random: Random, fields: Fields, oddness: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [field, make] of Object.entries(fields)) {
    if (random.next() >= oddness) entries.push([field, make(random)]);
    else if (random.next() < 0.7) entries.push([field, oddValue(random)]);
    if (random.next() < oddness / 4) entries.push([oddText(random), oddValue(random)]);
  }
  return Object.fromEntries(entries);
}

/** JSON that is valid, nearly valid or wild; or something that is none. */
function makeJson(random: Random, valid: (oddness: number) => unknown): Buffer {
  const wildness = random.next();
  if (wildness < 0.3) return Buffer.from(JSON.stringify(valid(0)));
  if (wildness < 0.75) return Buffer.from(JSON.stringify(valid(0.25)));
  if (wildness < 0.85) return Buffer.from(JSON.stringify(oddValue(random)));
  if (wildness < 0.95) return garble(random, Buffer.from(JSON.stringify(valid(0))));
  const depth = random.below(20_000);
  return random.pick([
    oddBytes(random, 200),
    Buffer.alloc(0),
    Buffer.from('['.repeat(depth)),
    Buffer.from(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    Buffer.from(`{"price":${'9'.repeat(depth)}e${depth}}`),
  ]);
}

export function recordBody(random: Random, resource: string): Buffer {
  const fields = RECORDS[resource] ?? {};
  return makeJson(random, (oddness) => makeObject(random, fields, oddness));
}

export function eventsBody(random: Random): Buffer {
  return makeJson(random, (oddness) => {
    const events = Array.from({ length: 1 + random.below(6) }, () =>
      makeObject(random, EVENT, oddness),
    );
    return random.pick([events[0], events, { events }, { events, __proto__: null, x: 1 }]);
  });
}

/** A form, its fields with values of their own or odd ones. */
export function formBody(random: Random, fields: Record<string, string>): Buffer {
  const pairs = Object.entries(fields).map(([field, value]): [string, string] => [
    field,
    random.next() < 0.7 ? value : oddText(random),
  ]);
  if (random.next() < 0.3) pairs.push([oddText(random), oddText(random)]);
  const form = Buffer.from(new URLSearchParams(pairs).toString());
  return random.next() < 0.9 ? form : garble(random, form);
}
