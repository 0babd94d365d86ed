import fc from 'fast-check';
import type { Random } from '../../../bench/load/random.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import { EVENT_TYPES } from '../../../db/schema/event.ts';
import type { Field } from '../../../db/schema/field.ts';
import { records } from '../../../db/schema/registry.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { COLLECTIONS, type Resource } from '../../../db/schema/values/resource.ts';
import { type Row, randomMenu, rowOf } from '../../support/random-menu.ts';
import type { Declared } from './routes.ts';
import { garble, oddBytes, oddText, oddValue } from './values.ts';

function sample<T>(random: Random, values: fc.Arbitrary<T>): T {
  const [one] = fc.sample(values, { seed: random.below(2 ** 31), numRuns: 1 });
  return one as T;
}

const RESOURCES = Object.keys(records) as Resource[];
const rows = new Map(RESOURCES.map((resource) => [resource, rowOf(resource)]));

/** Sections, dishes and so on of a small restaurant have small ids. */
const idOf = (random: Random) => 1 + random.below(random.next() < 0.8 ? 9 : 300);

/** A body for a record, as its declaration allows it. */
function validRecord(random: Random, resource: Resource): Row {
  const row = sample(random, rows.get(resource) as fc.Arbitrary<Row>);
  for (const [name, field] of Object.entries<Field>(records[resource].fields)) {
    if (field.target === undefined) continue;
    row[name] = field.isRequired || random.next() < 0.2 ? idOf(random) : null;
  }
  return row;
}

function validEvent(random: Random): Row {
  return {
    type: random.pick(EVENT_TYPES),
    item_id: idOf(random),
    category_id: idOf(random),
    allergen: random.pick(allergens.keys),
    query: `testo ${random.below(1_000)}`,
    results: random.below(3),
    locale: random.pick(LOCALES),
    visitor_id: `visitor ${random.below(50)}`,
    id: `event ${random.below(100_000)}`,
    occurred_at: new Date().toISOString(),
  };
}

function validOperation(random: Random): Row {
  const resource = random.pick(RESOURCES);
  const action = random.pick(['create', 'update', 'upsert', 'delete']);
  const named = random.next() < 0.5 ? { id: idOf(random) } : { external_id: `${idOf(random)}` };
  return { resource, action, ...named, data: validRecord(random, resource) };
}

/** Each field is odd, missing or unknown with a probability. */
function distort(random: Random, row: Row, oddness: number): Row {
  const entries: [string, unknown][] = [];
  for (const [field, value] of Object.entries(row)) {
    if (random.next() >= oddness) entries.push([field, value]);
    else if (random.next() < 0.7) entries.push([field, oddValue(random)]);
    if (random.next() < oddness / 4) entries.push([oddText(random), oddValue(random)]);
  }
  return Object.fromEntries(entries);
}

function someOf(random: Random, make: (random: Random) => Row, oddness: number): Row[] {
  return Array.from({ length: 1 + random.below(6) }, () => distort(random, make(random), oddness));
}

/** A body for a path below `/api/v1`, valid when `oddness` is 0. */
function bodyOf(random: Random, { path, example }: Declared, oddness: number): unknown {
  const name = path.replace(/^\/api\/v1\/(admin\/)?/, '').split('/')[0] ?? '';
  if (name === 'analytics') {
    const events = someOf(random, validEvent, oddness);
    return random.pick([events[0], events, { events }, { events, __proto__: null, x: 1 }]);
  }
  if (name === 'bulk') {
    const operations = someOf(random, validOperation, oddness);
    const on_error = random.pick(['reject_all', 'skip_failed']);
    return distort(random, { operations, on_error, dry_run: random.next() < 0.5 }, oddness);
  }
  if (name === 'import') {
    const menu: Record<string, unknown> = { ...sample(random, randomMenu) };
    for (const list of COLLECTIONS) {
      const given = (menu[list] ?? []) as Row[];
      menu[list] = given.map((row) => distort(random, row, oddness));
    }
    return distort(random, menu, oddness);
  }
  const isRecord = (RESOURCES as string[]).includes(name);
  const valid = isRecord ? validRecord(random, name as Resource) : (example as Row);
  return distort(random, valid, oddness);
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

/** A body for a declared path; none where none is read. */
export function declaredBody(random: Random, declared: Declared): Buffer {
  if (declared.example === undefined) return Buffer.alloc(0);
  return makeJson(random, (oddness) => bodyOf(random, declared, oddness));
}

/** Names of the fields of forms: those of all records, in all languages. */
const FORM_FIELDS = RESOURCES.flatMap((resource) => Object.keys(records[resource].fields)).flatMap(
  (name) => [name, ...LOCALES.map((locale) => `${name}.${locale}`)],
);

/** Some fields of the panel's forms, with values of any kind. */
export function someFormFields(random: Random): Record<string, string> {
  const names = Array.from({ length: 1 + random.below(8) }, () => random.pick(FORM_FIELDS));
  return Object.fromEntries(names.map((name) => [name, oddText(random)]));
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
