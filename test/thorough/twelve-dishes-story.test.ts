// An owner puts twelve dishes with their allergens into seven sections, on a phone, with few taps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedSteps } from '../support/counted-steps.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { restaurantOf } from '../support/restaurant.ts';

const SECTIONS = ['Antipasti', 'Primi', 'Secondi', 'Contorni', 'Dolci', 'Bevande', 'Caffè'];

/** Name, price, section, and one allergen that most guests ask about. */
const DISHES: [name: string, price: string, section: string, allergen: string | null][] = [
  ['Bruschetta', '6', 'Antipasti', 'Cereali contenenti glutine'],
  ['Alici marinate', '10', 'Antipasti', 'Pesce'],
  ['Carbonara', '12', 'Primi', 'Uova'],
  ['Gricia', '11,50', 'Primi', 'Latte'],
  ['Amatriciana', '12', 'Primi', 'Latte'],
  ['Saltimbocca', '16', 'Secondi', null],
  ['Trippa', '14', 'Secondi', null],
  ['Cicoria', '5', 'Contorni', null],
  ['Tiramisù', '6', 'Dolci', 'Uova'],
  ['Gelato', '4,50', 'Dolci', 'Latte'],
  ['Acqua', '2', 'Bevande', null],
  ['Espresso', '1,20', 'Caffè', null],
];

/** The most steps that the whole story may take. */
const MOST = { taps: 30, fields: 25 };

const settings = { default_locale: 'it', supported_locales: ['it'] } as const;
const pages = await panelPages([
  restaurantOf('dodici', [], { ...settings, supported_locales: ['it'] }),
]);

test('twelve dishes in seven sections take at most thirty taps and 25 fields on a phone', async (t) => {
  const page = await pages.enter('dodici', '/admin/menu', narrowPhone);
  const { steps, tap, fill, reads, check } = countedSteps(page);
  const hasFocus = (id: string) => page.locator(`#${id}:focus`).waitFor();

  await fill('Sezioni, una per riga', SECTIONS.join('\n'));
  await tap('button', 'Aggiungi le sezioni');
  await reads('7 sezioni sono nel menù');
  await tap('link', 'Antipasti');
  await tap('link', '+ Nuovo piatto');
  for (const [at, [name, price, section, allergen]] of DISHES.entries()) {
    // The name has the focus already, so that typing begins at once.
    await hasFocus('f-name-it');
    await fill('Nome', name);
    const chosen = page.getByLabel('Sezione', { exact: true });
    assert.equal(await chosen.locator('option:checked').textContent(), section);
    await fill('Prezzo', price);
    if (allergen !== null) {
      steps.taps += 1;
      await page.locator('fieldset.allergen').filter({ hasText: allergen }).first().click();
      steps.taps += 1;
      await page.getByLabel('Tutti gli altri: no', { exact: true }).check();
    }
    const next = DISHES[at + 1]?.[2];
    if (next === undefined) await tap('button', 'Aggiungi al menù');
    else await tap('button', next === section ? 'Aggiungi, poi un altro' : next);
    await reads(`«${name}» è nel menù`);
  }
  const { json } = await pages.service.gateway.client('dodici').get('/menu?lang=it');
  const shown = json.data.sections.flatMap(
    ({ name, items }: { name: string; items: { name: string; price: number }[] }) =>
      items.map((dish) => [dish.name, dish.price, name]),
  );
  assert.deepEqual(
    shown,
    DISHES.map(([name, price, section]) => [name, Number(price.replace(',', '.')), section]),
  );
  check(t, MOST);
});
