// Tables in the forms of tills and owners: nothing is published that they do not say.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { each } from '../support/each.ts';
import { rows, sentTables, type TableItem } from '../support/sent-tables.ts';
import { tableService } from '../support/table-service.ts';
import { type Sheet, workbook, workbookOf } from '../support/workbook.ts';

const service = await tableService();

const { asked, dishes, empty, exported, send, taken } = sentTables(() => service);
beforeEach(() => empty());

const facts = ({ allergens, additives }: TableItem) => ({ allergens, additives });

describe('nothing is published that a table does not say', () => {
  test('the id of another till names no dish of ours', async () => {
    await taken(rows('Sezione;Piatto;Prezzo', 'Primi;Gricia;12'));
    const [{ id }] = (await exported()).items;
    const table = rows('id;name;category;price', `${id};Soup;Starters;9,50`, '2;Cola;Drinks;3,20');
    await taken(table);
    assert.deepEqual(await dishes(), {
      Gricia: { section: 'Primi', cost: 12 },
      Soup: { section: 'Starters', cost: 9.5 },
      Cola: { section: 'Drinks', cost: 3.2 },
    });
    const foreign = rows('category_id;Nome;Prezzo', '1;Pane;2');
    assert.equal((await send(foreign)).status, 422, 'a section of another till is none of ours');
  });

  test('numbers and letters mean what their sender says, and are kept with the header', async () => {
    await empty('de');
    const table = rows('Kategorie;Name;Preis;Allergene', 'Bar;Cola;3,50;1, 11', 'Bar;Wasser;2,00;');
    const json = await asked(table);
    assert.deepEqual(json.codes.body[0], {
      ...{ rule: 'csvCode', row: 2, header: 'Allergene', sign: '1', dishes: 'Cola' },
    });
    assert.deepEqual(json.data.table.code_keys, ['eu_numbers', 'german_additives']);
    assert.deepEqual(await dishes(), {}, 'nothing is imported');
    await taken(table, { allergen_codes: 'german_additives' });
    const { Cola, Wasser } = await dishes(facts);
    assert.deepEqual([Cola?.allergens, Cola?.additives], [null, ['colouring', 'caffeine']]);
    assert.deepEqual([Wasser?.allergens, Wasser?.additives], [null, []]);
    await taken(table.replace('3,50', '3,60'));
    const more = await asked(table.replace('1, 11', '1, 11, 4'));
    assert.deepEqual(each(more.codes.body as { sign: string }[], 'sign'), ['4']);
  });

  test('letters are asked for with their dishes, and a house has its own', async () => {
    const lines = ['P;Spaghetti;12,5;A, C', 'P;Fisch;24;(D,A)'];
    const table = rows('Kategorie;Name;Preis;Allergene', ...lines);
    const json = await asked(table);
    const codes = json.data.table.codes.map((one: { sign: string; dishes: string[] }) => [
      one.sign,
      one.dishes,
    ]);
    assert.deepEqual(codes, [
      ['a', ['Spaghetti', 'Fisch']],
      ['c', ['Spaghetti']],
      ['d', ['Fisch']],
    ]);
    assert.deepEqual(json.data.table.code_keys, ['austrian_letters', 'eu_letters']);
    const signs = { A: 'pesce', c: 'additive_waxed', d: 'ignored' };
    await taken(table, { allergen_signs: JSON.stringify(signs) });
    const { Spaghetti, Fisch } = await dishes(facts);
    assert.deepEqual([Spaghetti?.allergens, Spaghetti?.additives], [['pesce'], ['waxed']]);
    assert.deepEqual(Fisch?.allergens, ['pesce']);
  });

  for (const [header, cells] of [
    ['Name;Category;Cost;Price', 'Steak;Mains;9,50;29,00'],
    ['Nome;Categoria;Prezzo netto;IVA;Prezzo', 'Steak;Mains;25,40;10%;29,00'],
    ['Name;Warengruppe;EK;VK', 'Steak;Mains;9,50;29,00'],
    ['Name;Warengruppe;Preis (netto);Preis (brutto)', 'Steak;Mains;24,40;29,00'],
    ['Name;Category;Regular price;Sale price', 'Steak;Mains;29,00;19,00'],
    ['Name;Category;Default price;Price [Soho]', 'Steak;Mains;25,00;29,00'],
    ['Nom;Catégorie;Prix HT;Prix TTC;Montant', 'Steak;Mains;26,40;29,00;290'],
  ] as const) {
    test(`the price that guests pay is found in: ${header}`, async () => {
      await taken(rows(header, cells));
      assert.deepEqual(await dishes(), { Steak: { section: 'Mains', cost: 29 } });
    });
  }

  for (const [header, cells, rule] of [
    ['Piatto;Categoria;Costo', 'Gricia;Primi;3,50', 'csvNoPrices'],
    ['Item;Category;Price [Soho];Price [Kew]', 'Pie;Mains;9;11', 'csvColumn'],
    ['Item;Category;Price;On the list', 'Pie;Mains;9;no', 'csvColumn'],
    ['Item;Category;Price;Contents', 'Pie;Mains;9;milk, egg', 'csvColumn'],
    ['Item;Category;Price;Days', 'Pie;Mains;9;Thu', 'csvTiming'],
    ['Item;Category;Price;Hours', 'Pie;Mains;9;12-15', 'csvTiming'],
    ['Gericht;Kategorie;Größe;Preis', 'Pils;Bier;0,3;3,20', 'csvColumn'],
  ] as const) {
    test(`a table is asked about, and nothing is imported: ${header}`, async () => {
      const { codes, data } = await asked(rows(header, cells));
      assert.equal(codes.body[0].rule, rule);
      assert.ok(data.table.columns.some(({ examples = [] }) => examples.length > 0));
      assert.deepEqual(await dishes(), {});
    });
  }

  test('words of availability are read, in columns of five languages and of tills', async () => {
    for (const [header, yes, no] of [
      ['available', 'Y', 'N'],
      ['Verfügbar', 'ja', 'nein'],
      ['Stato', 'pubblicato', 'bozza'],
      ['Archived', 'N', 'Y'],
      ['Available for sale [Soho]', 'Y', 'N'],
      ['Square Online Item Visibility', 'visible', 'hidden'],
      ['Visibility in catalogue', 'visible', 'hidden'],
    ] as const) {
      await empty('en');
      await taken(rows(`section;name;price;${header}`, `A;Pie;9;${yes}`, `A;Lamb;19;${no}`));
      const { Pie, Lamb } = await dishes(({ is_active }) => ({ is_active }));
      assert.deepEqual([Pie?.is_active, Lamb?.is_active], [true, false], header);
    }
    await empty('en');
    await taken(rows('section;name;price;Sold out', 'A;Pie;9;no', 'A;Lamb;19;yes'));
    const { Pie, Lamb } = await dishes(({ sold_out_until }) => ({ sold_out_until }));
    assert.deepEqual([Pie?.sold_out_until, Lamb?.sold_out_until], [null, 'indefinitely']);
  });

  test('a column that is not understood is named with its values, and keeps what is missing', async () => {
    await taken(rows('Sezione;Piatto;Prezzo', 'Primi;Gricia;12'));
    const table = rows('Sezione;Piatto;Prezzo;Chef', 'Primi;Amatriciana;13;Ada');
    const { data, meta } = await taken(table, { delete_missing: 'all' });
    assert.deepEqual(data.table.columns[3], {
      ...{ header: 'Chef', target: null, left: null, examples: ['Ada'] },
      might_be: ['description_it', 'name_it', 'section', 'size_name'],
    });
    assert.deepEqual(meta.ignored, ['Chef', 'delete_missing']);
    assert.deepEqual(Object.keys(await dishes()), ['Gricia', 'Amatriciana']);
    await taken(table, { delete_missing: 'all', columns: '{"Chef":""}' });
    assert.deepEqual(Object.keys(await dishes()), ['Amatriciana']);
  });
});

describe('a workbook', () => {
  const header = ['Categoria', 'Nome', 'Prezzo'];
  test('is read with all sheets that have the same columns; others are named', async () => {
    const cibo: Sheet = { name: 'Cibo', rows: [header, ['Primi', 'Gricia', 12]] };
    const bere: Sheet = { name: 'Bere', rows: [header, ['Vini', 'Rosso', 5]] };
    const titles = ['Chi', 'Quando'];
    const note: Sheet = { name: 'Turni', rows: [titles, ['Ada', 'oggi']] };
    await taken(workbookOf([cibo, bere]));
    assert.deepEqual(Object.keys(await dishes()), ['Gricia', 'Rosso']);
    const { data } = await taken(workbookOf([note, cibo]), { delete_missing: 'all' });
    assert.deepEqual(data.table.sheets, [
      { name: 'Turni', rows: 2, is_read: false },
      { name: 'Cibo', rows: 2, is_read: true },
    ]);
    assert.deepEqual(Object.keys(await dishes()), ['Gricia', 'Rosso'], 'nothing is deleted');
    await empty();
    await taken(workbookOf([cibo, bere]), { sheet: 'Bere' });
    assert.deepEqual(Object.keys(await dishes()), ['Rosso']);
    assert.equal((await send(workbookOf([cibo]), { sheet: 'Vini' })).status, 422);
  });

  test('gives sections by the names of its sheets where no column does', async () => {
    const titles: Sheet['rows'][number] = ['Nome', 'Prezzo'];
    const own = (name: string, dish: string): Sheet => ({ name, rows: [titles, [dish, 9]] });
    await taken(workbookOf([own('Primi', 'Gricia'), own('Dolci', 'Babà')]));
    assert.deepEqual(await dishes(), {
      Gricia: { section: 'Primi', cost: 9 },
      Babà: { section: 'Dolci', cost: 9 },
    });
  });

  test('leaves hidden rows out and names them, and reads them when they are asked for', async () => {
    const sheet: Sheet = {
      ...{ name: 'Menu', rows: [header, ['Primi', 'Gricia', 12], ['Primi', 'Tolto', 99]] },
      hidden: [3],
    };
    const { data } = await taken(workbookOf([sheet]));
    assert.deepEqual(data.table.hidden_rows, [3]);
    assert.deepEqual(Object.keys(await dishes()), ['Gricia']);
    await taken(workbookOf([sheet]), { hidden_rows: '1' });
    assert.deepEqual(Object.keys(await dishes()), ['Gricia', 'Tolto']);
  });

  test('has numbers of fifteen digits, and cells whose formula failed are refused with their row', async () => {
    const long = ['Primi', 'Gricia', 13.200000000000001];
    await taken(workbook([header, long, ['Primi', 'Babà', 5.6499999999999995]]));
    const { Gricia, Babà } = await dishes();
    assert.deepEqual([Gricia?.cost, Babà?.cost], [13.2, 5.65]);
    for (const value of ['#REF!', '#WERT!', '#N/A', '#CALC!']) {
      const json = await asked(workbook([header, ['Primi', 'Pane', value]]));
      const found = new RegExp(`^Riga 2, Pane, Prezzo «${value}»`);
      assert.match(json.errors['items.0.price'][0], found);
    }
    const first = [1, 2];
    const { errors } = await asked(workbook([first, [3, 4]]));
    assert.match(errors.body[0], /prima riga del foglio/);
  });

  test('has titles in the column of sections, which hold for the rows below', async () => {
    const titles = [
      ['Menù', 'Nome', 'Foto', 'Prezzo'],
      ['Primi'],
      [null, 'Gricia', null, 12],
      ['Dolci'],
    ];
    await taken(workbook([...titles, [null, 'Babà', null, 6]]));
    assert.deepEqual(await dishes(), {
      Gricia: { section: 'Primi', cost: 12 },
      Babà: { section: 'Dolci', cost: 6 },
    });
  });
});

describe('one bad cell', () => {
  const table = rows('Sezione;Piatto;Prezzo', 'A;Pane;abc', 'A;Olio;2,50', 'A;Sale;#REF!');
  test('is named with its row, its dish and its value, and blocks a table without skip_refused', async () => {
    const { errors, codes } = await asked(table);
    assert.match(errors['items.0.price'][0], /^Riga 2, Pane, Prezzo «abc»: .* numero\.$/);
    assert.deepEqual(codes['items.2.price'], [
      {
        ...{ rule: 'cellFailed', value: '#REF!' },
        cell: { row: 4, name: 'Sale', column: 'Prezzo', at: 2, value: '#REF!' },
      },
    ]);
    assert.deepEqual(await dishes(), {});
  });

  test('is left out with skip_refused, in one version that can be taken back, and nothing is deleted', async () => {
    await taken(rows('Sezione;Piatto;Prezzo', 'A;Acqua;1'));
    const { data, meta } = await taken(table, { skip_refused: '1', delete_missing: 'all' });
    assert.deepEqual([data.counts.created, data.counts.failed, data.counts.deleted], [1, 2, 0]);
    assert.deepEqual(meta.ignored, ['delete_missing']);
    assert.deepEqual(Object.keys(await dishes()), ['Acqua', 'Olio']);
    const { version } = data;
    (await service.admin.call('POST', `/versions/${version}/undo`, {})).expect(200);
    assert.deepEqual(Object.keys(await dishes()), ['Acqua']);
  });
});

test('an import with fields changes no other field of dishes that are there, in every format', async () => {
  const header = 'external_id;name_it;description_it;price;category_external_id';
  const section = { external_id: 's', name: { it: 'Forno' } };
  await service.admin.call('PUT', '/import', { format: 'lavagna-menu/1', categories: [section] });
  await taken(rows(header, 'a;Pane;Fresco;1;s'));
  const till = rows('SKU;Name;Category;Price', 'a;PANE 500G;Backwaren;1,20', 'b;Olio;Forno;5');
  await taken(till, { fields: 'price,is_active' });
  const described = ({ description }: TableItem) => ({ description });
  assert.deepEqual(await dishes(described), {
    Pane: { section: 'Forno', cost: 1.2, description: { it: 'Fresco' } },
    Olio: { section: 'Forno', cost: 5, description: {} },
  });
  assert.equal((await exported()).categories.length, 1, 'no section is made for a name that stays');
  const items = [{ external_id: 'a', name: { it: 'X' }, price: 3, allergens: [] }];
  const document = { format: 'lavagna-menu/1', items };
  await service.admin.call('PUT', '/import?fields=price', document);
  const { Pane } = await dishes(described);
  assert.deepEqual(Pane, { section: 'Forno', cost: 3, description: { it: 'Fresco' } });
  for (const fields of ['', 'prize', 'price,,x']) {
    assert.equal((await send(till, { fields })).status, 422, fields);
  }
});
