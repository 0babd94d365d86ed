// Random menus, written as tables in ten dialects, are read back as they were.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Arbitrary,
  array,
  asyncProperty,
  assert as check,
  constantFrom,
  integer,
  option,
  record,
  string,
  subarray,
  tuple,
} from 'fast-check';
import { encode } from 'iconv-lite';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { readDishTable } from '../../../workers/tables/read-table.ts';
import { seed } from '../../support/seed.ts';
import { often } from '../../support/thorough.ts';
import { workbook } from '../../support/workbook.ts';

interface Dish {
  section: string;
  name: string;
  description: string;
  /** In cents. */
  price: number;
  sizes: [label: string, price: number][];
  kcal: number | null;
}

const SIZES = ['Klein', 'Mittel', 'Groß'];
const cents: Arbitrary<number> = integer({ min: 1, max: 99_999 });
const text = string({ unit: constantFrom(...'aeioubcdèñß’"&;,.-() '), maxLength: 12 });
const dishes = array(
  record({
    section: constantFrom('Primi', 'Dolci', 'Vini “rossi”', 'Salate & Co'),
    word: text,
    description: text,
    price: cents,
    sizes: tuple(subarray(SIZES, { minLength: 2 }), array(cents, { minLength: 3, maxLength: 3 })),
    hasSizes: integer({ min: 0, max: 2 }),
    kcal: option(integer({ min: 10, max: 2_500 })),
  }),
  { minLength: 1, maxLength: 8 },
);

const oneLine = (words: string) => words.replace(/\s+/g, ' ').trim();
const decimals = (sign: string) => (price: number) => (price / 100).toFixed(2).replace('.', sign);
/** A field of CSV. */
const field = (cell: string) => (/["\t;,\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

type Cell = string | number | null;
interface Dialect {
  what: string;
  /** Whether dishes have sizes in it. */
  hasSizes?: boolean;
  rows(menu: readonly Dish[]): Cell[][];
  write(rows: readonly Cell[][]): Buffer;
}

const csv =
  (separator: string, end: string, encoding: string, mark = '') =>
  (rows: readonly Cell[][]) => {
    const lines = rows.map((cells) =>
      cells.map((cell) => field(String(cell ?? ''))).join(separator),
    );
    return encode(mark + lines.join(end) + end, encoding);
  };
const plain = (header: string[], price: (cents: number) => Cell) => (menu: readonly Dish[]) => [
  header,
  ...menu.map(({ section, name, description, kcal, ...one }): Cell[] => {
    return [section, name, description, price(one.price), kcal];
  }),
];
/** Each section once: its name stands in the first of its rows. */
const once = (rows: readonly Cell[][]) =>
  rows.map(([section = null, ...cells], at) => [
    section === rows[at - 1]?.[0] ? null : section,
    ...cells,
  ]);
const html = (words: string) =>
  `<p>${words.replaceAll('&', '&amp;').replaceAll('è', '&egrave;').replaceAll('"', '&quot;')}</p>`;

const dialects: Dialect[] = [
  {
    what: 'Excel in Italy',
    rows: plain(['Categoria', 'Piatto', 'Descrizione', 'Prezzo', 'Calorie'], decimals(',')),
    write: csv(';', '\r\n', 'windows-1252'),
  },
  {
    what: 'Google Sheets in Britain',
    rows: plain(
      ['Category', 'Item', 'Description', 'Price (£)', 'Calories'],
      (one) => `£${decimals('.')(one)}`,
    ),
    write: csv(',', '\r\n', 'utf-8'),
  },
  {
    what: 'Excel in France, as Unicode text',
    rows: plain(
      ['Rubrique', 'Plat', 'Description', 'Prix TTC', 'Calories'],
      (one) => `${decimals(',')(one)} €`,
    ),
    write: csv('\t', '\r\n', 'utf-16le', '\ufeff'),
  },
  {
    what: 'Numbers in Spain',
    rows: plain(['Categoría', 'Plato', 'Descripción', 'Precio', 'Calorías'], decimals(',')),
    write: csv(';', '\n', 'utf-8', '\ufeff'),
  },
  {
    what: 'a workbook',
    rows: plain(['Kategorie', 'Gericht', 'Beschreibung', 'Preis', 'Kalorien'], (one) => one / 100),
    write: (rows) => workbook(rows),
  },
  {
    what: 'Czech, with units of energy',
    rows: (menu) => [
      ['Kategorie', 'Název', 'Popis', 'Cena', 'Calories'],
      ...menu.map((one): Cell[] => [
        ...[one.section, one.name, one.description, `${decimals(',')(one.price)} Kč`],
        one.kcal && `${one.kcal.toLocaleString('en')} kcal`,
      ]),
    ],
    write: csv(';', '\n', 'utf-8'),
  },
  {
    what: 'sections that stand once',
    rows: (menu) => {
      const [header = [], ...rows] = plain(
        ['Section', 'Name', 'Details', 'Price', 'Energy'],
        decimals('.'),
      )(menu);
      return [header, ...once(rows)];
    },
    write: csv(',', '\n', 'utf-8'),
  },
  {
    what: 'sizes as rows',
    hasSizes: true,
    rows: (menu) => [
      ['Kategorie', 'Gericht', 'Beschreibung', 'Größe', 'Preis', 'kcal'],
      ...menu.flatMap(({ section, name, description, kcal, sizes, price }): Cell[][] => {
        const rows: [string, number][] = sizes.length > 0 ? sizes : [['', price]];
        return rows.map(([size, cents]) => {
          return [section, name, description, size, decimals(',')(cents), kcal];
        });
      }),
    ],
    write: csv(';', '\r\n', 'windows-1252'),
  },
  {
    what: 'sizes as columns',
    hasSizes: true,
    rows: (menu) => [
      ['Kategorie', 'Gericht', 'Beschreibung', 'Preis', ...SIZES, 'kcal'],
      ...menu.map((one): Cell[] => {
        const sizes = new Map(one.sizes);
        const prices = SIZES.map((label) => sizes.get(label) ?? null);
        const money = prices.map((price) => price && decimals(',')(price));
        const price = one.sizes.length > 0 ? null : decimals(',')(one.price);
        return [one.section, one.name, one.description, price, ...money, one.kcal];
      }),
    ],
    write: csv(';', '\n', 'utf-8'),
  },
  {
    what: 'a shop, with handles and HTML',
    hasSizes: true,
    rows: (menu) => [
      [
        ...['Handle', 'Title', 'Body (HTML)', 'Type', 'Category', 'Option1 Name'],
        ...['Option1 Value', 'Variant Price', 'Cost', 'Calories'],
      ],
      ...menu.flatMap((one, at): Cell[][] => {
        const sizes: [string, number][] =
          one.sizes.length > 0 ? one.sizes : [['Default Title', one.price]];
        const name = one.name.replaceAll('&', '&amp;');
        const about = [name, html(one.description), null, one.section, 'Size'];
        return sizes.map(([label, price], nth) => [
          ...[`dish-${at}`, ...(nth === 0 ? about : about.map(() => null))],
          ...[label, decimals('.')(price), '1.00', nth === 0 ? one.kcal : null],
        ]);
      }),
    ],
    write: csv(',', '\n', 'utf-8'),
  },
];

const menu = {
  settings: {
    ...{ default_locale: 'it', supported_locales: ['it'], fallback_locale: 'it' },
    ...{ currency: 'EUR', timezone: 'Europe/Rome' },
  },
  ...{ sections: [], types: [], wineries: [], dishes: [] },
} as unknown as StoredMenu;
const nothing = { findKept: () => Promise.resolve(null), fields: null };

interface ReadDish {
  name: { it: string };
  description: { it?: string };
  price?: string;
  variants?: { label: string; price: string }[];
  kcal?: string | null;
  category_external_id: string;
}

/** A table as the dishes that it is read as. */
async function readBack(bytes: Buffer): Promise<unknown[]> {
  const read = await readDishTable(bytes, {}, menu, nothing);
  if ('errors' in read) return [read.errors];
  const names = new Map(
    read.made.map(({ name, operation }) => {
      const { data } = operation as { data: { name: { it: string } } };
      return [name, data.name.it];
    }),
  );
  const items = read.lists.items as ReadDish[];
  return items.map(({ name, description, price, variants = [], kcal, category_external_id }) => ({
    section: names.get(category_external_id),
    name: name.it,
    description: description.it ?? '',
    price: variants.length > 0 ? 0 : Number(price),
    sizes: variants.map((one) => [one.label, Number(one.price)]),
    kcal: kcal === undefined || kcal === null ? null : Number(kcal),
  }));
}

for (const { what, hasSizes = false, rows, write } of dialects) {
  test(`a random menu is read back equal: ${what}`, async () => {
    await check(
      asyncProperty(dishes, async (given) => {
        const made = given.map(
          ({ word, sizes: [labels, prices], ...one }, at): Dish => ({
            ...{ section: one.section, price: one.price, kcal: one.kcal },
            name: oneLine(`Piatto ${at} ${word}`),
            description: oneLine(`di casa ${one.description}`),
            sizes:
              hasSizes && one.hasSizes === 0
                ? labels.map((label, nth) => [label, prices[nth] ?? 1])
                : [],
          }),
        );
        const expected = made.map(({ price, sizes, ...one }) => ({
          ...{ ...one, price: sizes.length > 0 ? 0 : price / 100 },
          sizes: sizes.map(([label, size]) => [label, size / 100]),
        }));
        assert.deepEqual(await readBack(write(rows(made))), expected);
      }),
      { numRuns: often(8, 40), seed },
    );
  });
}
