import { recordOf } from '../menu/working-menu.ts';
import { memoize } from '../runtime/memoize.ts';
import { asAvailable, withPresentAvailability } from '../schema/availability.ts';
import { type Follow, followedFields, holdsPrices, recordKey } from '../schema/chain.ts';
import { type PriceList, pricesOf } from '../schema/chain-policy.ts';
import type { Field } from '../schema/field.ts';
import { type RecordType, saysSame, sentValue, storedName } from '../schema/record.ts';
import { withIds } from '../schema/references.ts';
import { type Reference, referencesFrom } from '../schema/registry.ts';
import type { Resource } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';

/** The records of a branch by those of the master that they follow. */
export interface Counterparts {
  idOf(resource: Resource, masterId: number): number | undefined;
  add(resource: Resource, masterId: number, id: number): void;
}

export function createCounterparts(follows: Iterable<Follow>): Counterparts {
  const ids = new Map<string, number>();
  for (const { resource, id, master_id } of follows) ids.set(recordKey(resource, master_id), id);
  return {
    idOf: (resource, masterId) => ids.get(recordKey(resource, masterId)),
    add: (resource, masterId, id) => ids.set(recordKey(resource, masterId), id),
  };
}

/** How values of a master are those of a branch. */
export interface ChainReading {
  /** The branch's menu, as far as it has come. */
  menu: StoredMenu;
  counterparts: Counterparts;
  /** Makes a price of the branch of one of the master; null where no price is taken. */
  price: ((price: number) => number) | null;
}

/** How a branch reads its master: prices never cross currencies. */
export function readingOf(
  menu: StoredMenu,
  master: StoredMenu,
  counterparts: Counterparts,
  prices: PriceList | null,
): ChainReading {
  const { currency } = menu.settings;
  const isSame = currency === master.settings.currency;
  return { menu, counterparts, price: isSame ? pricesOf(prices, currency) : null };
}

/** A value with other prices, in lists, too. */
function withPrices({ kind, parts }: Field, value: unknown, price: (of: number) => number) {
  if (kind === 'price') return typeof value === 'number' ? price(value) : value;
  if (!parts) return value;
  return rowsIn(value).map((row): Row => {
    const own = Object.entries(parts).filter(([name, part]) => name in row && holdsPrices(part));
    const prices = own.map(([name, part]) => [name, withPrices(part, row[name], price)]);
    return { ...row, ...Object.fromEntries(prices) };
  });
}

/** A field that branches take from their master. */
interface ChainField {
  name: string;
  field: Field;
  isPriced: boolean;
  /** The records that it names. */
  reference: Reference | undefined;
}

const chainFields = memoize((record: RecordType) =>
  followedFields(record).map((name) => {
    const field = record.fields[name] as Field;
    const reference = referencesFrom(record).find((one) => one.field === name);
    return { name, field, isPriced: holdsPrices(field), reference };
  }),
);

/** A value that names the branch's records: without those that it does not have. */
function withOwnIds(
  { menu, counterparts }: ChainReading,
  reference: Reference | undefined,
  value: unknown,
  after: Row,
): unknown {
  if (!reference) return value;
  const { to, options } = reference;
  return withIds(value, (masterId) => {
    const named = recordOf(menu, to, counterparts.idOf(to.resource, masterId));
    const { within } = options;
    const isInPlace = within === undefined || named?.[within] === after[within];
    return named && isInPlace ? named.id : null;
  });
}

/**
 * The value of a master's field in a branch, as a checked body has it.
 *
 * @param after the branch's record as far as it is known; empty for a new one
 * @param own the branch's record as it is; undefined for a new one
 */
function valueFor(
  reading: ChainReading,
  record: RecordType,
  row: MenuRow,
  { name, field, isPriced, reference }: ChainField,
  after: Row,
  own: MenuRow | undefined,
): unknown {
  const value = withOwnIds(reading, reference, sentValue(record, row, name), after);
  const priced = reading.price && isPriced ? withPrices(field, value, reading.price) : value;
  if (!own || !field.parts) return asAvailable(field, priced);
  const present = { [name]: own[storedName(name, field)] };
  return withPresentAvailability(record.resource, { [name]: priced }, present)[name];
}

const allNames = memoize((record: RecordType) => chainFields(record).map(({ name }) => name));
const pricelessNames = memoize((record: RecordType) =>
  chainFields(record).flatMap(({ name, isPriced }) => (isPriced ? [] : [name])),
);

/** The fields of a record that a branch takes from its master: without prices where it takes none. */
export function takenFields({ price }: ChainReading, record: RecordType): readonly string[] {
  return price === null ? pricelessNames(record) : allNames(record);
}

/**
 * The values of a master's record in a branch, by their fields.
 *
 * @param isOwn whether a field stays as the branch has it
 */
export function valuesFor(
  reading: ChainReading,
  record: RecordType,
  row: MenuRow,
  own: MenuRow | undefined,
  isOwn: (name: string) => boolean = () => false,
): Row {
  const after: Row = { ...own };
  const values: Row = {};
  for (const field of chainFields(record)) {
    const { name } = field;
    values[name] = valueFor(reading, record, row, field, after, own);
    // A record may stand within another one, which the branch has in its own place.
    if (!isOwn(name)) after[name] = values[name];
  }
  return values;
}

/** The followed fields in which a branch's record differs from the values for it. */
export function differingFields(record: RecordType, own: MenuRow, values: Row): string[] {
  return chainFields(record).flatMap(({ name, field }) =>
    saysSame(field, sentValue(record, own, name), values[name]) ? [] : [name],
  );
}
