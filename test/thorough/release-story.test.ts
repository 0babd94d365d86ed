// An owner prepares the Christmas menu on a phone, a friend looks at it, and the clock does the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedSteps } from '../support/counted-steps.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const SECTION = 'Menù di Natale';
const DISHES: [name: string, price: string][] = [
  ['Cappelletti in brodo', '14'],
  ['Cappone ripieno', '22'],
  ['Panettone', '7'],
];
/** The most steps that the whole story may take. */
const MOST = { taps: 14, fields: 12 };

const primi = sectionOf('Primi', [dishOf('Gricia', { price: 11 })]);
// It is never closed: a wall shows no dishes then.
const open = { opening_hours: [], closures: [] };
const pages = await panelPages([
  restaurantOf('natale', [primi], { default_locale: 'it', supported_locales: ['it'], ...open }),
]);

test('a Christmas menu is prepared on a phone, shown to a friend, live and gone', async (t) => {
  const { service } = pages;
  const page = await pages.enter('natale', '/admin/releases', narrowPhone);
  const { tap, fill, reads, check } = countedSteps(page);
  const guests = async () => (await service.gateway.client('natale').get('/menu')).text;
  const pass = (column: 'starts_at' | 'ends_at') =>
    service.sql(`update releases set ${column} = now()`);

  await fill('Nome', 'Natale');
  await tap('button', 'Crea e prepara');
  await fill('Inizio', '2198-12-24T18:00');
  await fill('Fine', '2198-12-27T00:00');
  await tap('button', 'Salva');
  await reads('«Natale» salvato');
  await tap('button', 'Prepara le modifiche');
  await tap('link', '+ Nuova sezione');
  await fill('Nome', SECTION);
  await tap('button', 'Aggiungi al menù');
  await reads('Messo in «Natale»');
  await tap('link', 'Apri');
  await tap('link', '+ Nuovo piatto in questa sezione');
  for (const [name, price] of DISHES) {
    await page.locator('#f-name-it:focus').waitFor();
    await fill('Nome', name);
    await fill('Prezzo', price);
    const isLast = name === 'Panettone';
    await tap('button', isLast ? 'Aggiungi al menù' : 'Aggiungi, poi un altro');
    await reads('Messo in «Natale»');
  }
  await tap('link', 'Apri');
  await tap('button', 'Crea un link');
  const link = (await page.locator('a.address').textContent()) ?? '';

  // The friend has no password.
  const friend = await pages.visit('natale', '/', narrowPhone);
  await friend.goto(link);
  await friend.getByText('Anteprima: Natale.').waitFor();
  for (const text of [SECTION, ...DISHES.map(([name]) => name)])
    await friend.getByText(text).first().waitFor();
  // The wall has both sections on its first page.
  await friend.setViewportSize({ width: 1920, height: 1080 });
  await friend.goto(`${link}?screen=1`);
  await friend.locator('.screen main > section:visible').first().waitFor();
  assert.deepEqual(await friend.locator('h2:visible').allInnerTexts(), ['Primi', SECTION]);
  await friend.getByText('Anteprima: Natale.').waitFor();
  await friend.getByText('Panettone').first().waitFor();
  await keepPicture(friend, 'release-wall', false);
  await friend.setViewportSize({ width: 360, height: 740 });
  assert.doesNotMatch(await guests(), /Natale|Panettone/);

  await pass('starts_at');
  await until('guests do not read it', async () => /Panettone/.test(await guests()));
  await friend.goto('/');
  await friend.getByText(SECTION).first().waitFor();
  await pass('ends_at');
  await until('guests still read it', async () => !/Natale|Panettone/.test(await guests()));
  await page.reload();
  await page.getByText('conclusa', { exact: false }).first().waitFor();
  check(t, MOST);
});
