// Cells, sizes and headers of owners' tables in the words of many countries and tills.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { callCli } from '../../support/cli.ts';
import { each } from '../../support/each.ts';
import { rows, sentTables } from '../../support/sent-tables.ts';
import { tableService } from '../../support/table-service.ts';

const service = await tableService();

const { dishes, empty, exported, send, taken } = sentTables(() => service);
beforeEach(() => empty());

describe('sizes', () => {
  for (const [what, table] of [
    ['as numbers', rows('Kategorie;Name;Größe;Preis', 'B;Pils;0,3;3,20', 'B;Pils;0,5;4,80')],
    [
      'as variations',
      rows('Item Name;Variation Name;Category;Price', 'Pils;0,3;B;3,20', 'Pils;0,5;B;4,80'),
    ],
    [
      'by a handle',
      rows(
        'Handle;Name;Category;Option 1 name;Option 1 value;Price',
        'p;Pils;B;Size;0,3;3,20',
        'p;;;;0,5;4,80',
      ),
    ],
    ['by rows without a name', rows('Name;Category;Size;Price', 'Pils;B;0,3;3,20', ';;0,5;4,80')],
    [
      'as columns',
      rows('Kategorie;Name;0,3;0,5'.replace('0,3;0,5', '0,3 l;0,5 l'), 'B;Pils;3,20;4,80'),
    ],
  ] as const) {
    test(`stand in one dish: ${what}`, async () => {
      await taken(table);
      const { Pils } = await dishes();
      const sizes = Object.entries(Pils?.cost ?? {}).map(([label, price]) => [
        label.replace(' l', ''),
        price,
      ]);
      assert.deepEqual(Object.fromEntries(sizes), { '0,3': 3.2, '0,5': 4.8 });
    });
  }
  test('are none where the only one is called regular', async () => {
    await taken(rows('Item Name;Variation Name;Category;Price', 'Soup;Regular;S;6,00'));
    assert.deepEqual(await dishes(), { Soup: { section: 'S', cost: 6 } });
  });
});

test('a house of another language than its fallback has one dish, with a key or without', async () => {
  await empty('de');
  await taken('Name;Kategorie;Preis\nLinsensuppe;Suppen;6,50');
  await taken('SKU;Name;Kategorie;Preis\nA1;Linsensuppe;Suppen;6,60');
  const { items } = await exported();
  assert.deepEqual([each(items, 'external_id'), each(items, 'price')], [['A1'], [6.6]]);
  await taken('SKU;Name;Kategorie;Preis\nA1;Linsentopf;Suppen;6,60');
  const [{ name }] = (await exported()).items;
  assert.deepEqual(name, { it: 'Linsentopf', de: 'Linsentopf' }, 'no old name stays behind');
});

describe('cells', () => {
  const price = async (cell: string) => {
    await empty();
    const table = rows('Sezione\tPiatto\tPrezzo', `A\tPane\t${cell}`, 'A\tAltro\t1,50');
    const { status, json } = await send(table);
    if (status !== 200) return json.codes['items.0.price']?.[0].rule ?? json.codes;
    const { Pane } = await dishes((item) => ({
      ...{ request: item.price_on_request, unit: item.price_unit },
    }));
    return Pane?.request ? 'on request' : [Pane?.cost, Pane?.unit].filter(Boolean).join(' ');
  };
  test('of prices have the words, signs and digits of many countries', async () => {
    const cells: Record<string, string> = {
      ...{ Tagespreis: 'on request', 'S.Q.': 'on request', 's/ consulta': 'on request' },
      ...{ 'market price': 'on request', MP: 'on request', 時価: 'on request' },
      ...{ '16 €/kg': '16 kg', '12,50 € p.P.': '12.5 person', '6,00 all’etto': '6 100g' },
      ...{ 'R$ 25,00': '25', 'S/ 25.00': '25', 'US$ 12.50': '12.5', NT$150: '150', '45 lei': '45' },
      ...{ '250 руб.': '250', 'Rp 25.000': '25000', '1,200円': '1200', '9,000원': '9000' },
      ...{ '١٢٫٥٠': '12.5', '۲۵۰': '250', '１２００': '1200', '125 :-': '125', '12,–': '12' },
      ...{ '200 ج.م': '200', '12,00 KM': '12', '١٬٢٥٠': '1250', '฿ ๙๐': '90' },
      ...{ variable: 'on request', 'ab 4,90 €': 'priceFrom', '3,50 / 7,50 €': 'priceSeveral' },
      ...{ '-5': 'min', gratis: 'numeric' },
    };
    for (const [cell, right] of Object.entries(cells)) assert.equal(await price(cell), right, cell);
  });

  test('of energy have units and groups of digits', async () => {
    const lines = ['A;Pie;1;450 kcal', 'A;Fish;1;1,050', 'A;Jam;1;450 kcal / 1883 kJ'];
    await taken(rows('Section;Name;Price;Calories', ...lines));
    const found = await dishes(({ kcal }) => ({ kcal }));
    assert.deepEqual(each(Object.values(found), 'kcal'), [450, 1050, 450]);
  });

  test('of texts lose HTML and signs that turn directions', async () => {
    await empty('en');
    await taken(
      'Section,Name,Price,Description\nA,Fish &amp; chips,1,<p>grill&eacute;e</p><br>hot\nA,\u202bFalafel\u202c,1,5 < 6 & more',
    );
    const found = await dishes(({ description }) => ({ text: description.en }));
    assert.equal(found['Fish & chips']?.text, 'grillée\nhot');
    assert.equal(found.Falafel?.text, '5 < 6 & more');
  });

  test('of dates show a dish from the first day to the end of the last one', async () => {
    const header = 'Section;Item;Price;Show from;Show until';
    await taken(rows(header, 'A;Panettone;9;2026-12-01;31.12.2026'));
    const { Panettone } = await dishes((item) => item);
    assert.equal(Panettone?.visible_from, '2026-11-30T23:00:00Z');
    assert.equal(Panettone?.visible_until, '2026-12-31T23:00:00Z');
  });

  test('that stand once hold for the rows below, and a language may have a row of its own', async () => {
    await taken(rows('Section;Item;Price', 'Mains;Pie;14,95', ';Fish;13,95', 'Desserts;Cake;6'));
    assert.equal((await dishes()).Fish?.section, 'Mains');
    await empty();
    const header = 'SKU;Language;Name;Category;Price';
    await taken(rows(header, 'B1;it;Zuppa;Primi;6', 'B1;en;Soup;Primi;6'));
    const [{ name }, ...others] = (await exported()).items;
    assert.deepEqual([name, others], [{ it: 'Zuppa', en: 'Soup' }, []]);
  });
});

test('dishes in kana of half width are found by those of full width', async () => {
  await empty('ja');
  const drinks = ['飲み物;生ﾋﾞｰﾙ;500', '飲み物;ﾎｯﾄｺｰﾋｰ;400', '飲み物;ビール（瓶）;600'];
  await taken(rows('カテゴリー;商品名;価格', ...drinks));
  const found = async (word: string) => {
    const path = `/items?locale=ja&search=${encodeURIComponent(word)}`;
    const { json } = await service.client.get(path);
    return each(json.data, 'name');
  };
  assert.deepEqual(await found('ビール'), ['生ﾋﾞｰﾙ', 'ビール（瓶）']);
  for (const word of ['コーヒー', 'ホット']) assert.deepEqual(await found(word), ['ﾎｯﾄｺｰﾋｰ']);
});

test('a house that is made in French has each name once, and falls back to French', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const create = ['tenant', 'create', 'bistrot', '--name', 'Bistrot', '--locale', 'fr'];
  assert.equal((await callCli(create, env)).code, 0);
  const path = join(service.folder, 'carte.csv');
  await writeFile(path, rows('Catégorie;Nom;Prix', 'Entrées;Soupe;6,50'));
  (await callCli(['menu', 'import', 'bistrot', path], env)).ends(0);
  const menu = JSON.parse((await callCli(['menu', 'export', 'bistrot'], env)).stdout);
  assert.equal(menu.settings.fallback_locale, 'fr');
  assert.deepEqual(menu.items[0].name, { fr: 'Soupe' });
  assert.deepEqual(menu.categories[0].name, { fr: 'Entrées' });
});

test('headers are understood in the languages of the page', async () => {
  for (const header of [
    ...['Categorie;Naam;Prijs', 'Kategoria;Nazwa;Cena', 'Kategorie;Název;Cena', 'Kategória;Név;Ár'],
    ...['Categorie;Denumire;Preț', 'Κατηγορία;Όνομα;Τιμή', 'Kategori;Ürün adı;Fiyat'],
    ...['Категория;Название;Цена', 'Категорія;Назва;Ціна', 'الفئة;الاسم;السعر', 'קטגוריה;שם;מחיר'],
    ...['分类;名称;价格', 'カテゴリー;商品名;価格', '카테고리;메뉴명;가격', 'Kategori;Namn;Pris'],
    ...['Kategori;Navn;Pris', 'Kategorija;Naziv;Cijena', 'Categoria;Nome;Preço'],
    'Menu Group;Menu Item;Price',
  ]) {
    await empty();
    await taken(rows(header, 'A;Pane;2,50'));
    assert.deepEqual(await dishes(), { Pane: { section: 'A', cost: 2.5 } }, header);
  }
});

test('the export of a till is recognised by its columns', async () => {
  const source = async (header: string) =>
    (await send(rows(header), { dry_run: '1' })).json.data?.table.source;
  const square = 'Token;Item Name;Variation Name;SKU;Description;Category;Price';
  assert.equal(await source(square), 'square');
  assert.equal(await source('Handle;SKU;Name;Category;Price [Bar];Cost;Barcode'), 'loyverse');
  assert.equal(await source('Menu Group;Menu Item;PLU;Price'), 'toast');
  assert.equal(await source('Name;Category;Price'), null);
});
