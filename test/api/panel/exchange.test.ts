// The panel's page for other services: the report, the document, and imports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { deliverectPush, squareCsv } from '../../support/service-exports.ts';

const dishes = [dishOf('Brasato', { allergens: [] }), dishOf('Ossobuco', { allergens: null })];
const service = await panelService([restaurantOf('trattoria', [sectionOf('Secondi', dishes)])]);
const visitor = await signedIn(service.client);

const page = async (path: string) => (await visitor.get(path)).expect(200).text;

test('the page of other services shows the report of the chosen one, and links its document', async () => {
  assert.doesNotMatch(await page('/admin/exchange'), /Scarica il documento/);
  const text = await page('/admin/exchange?format=google');
  assert.match(plainText(text), /Gli allergeni non sono dichiarati/);
  assert.match(text, /href="\/admin\/exchange\/export\?format=google" download/);
});

test('the document of a service is sent as a file', async () => {
  await page('/admin/exchange');
  const answer = await visitor.get('/admin/exchange/export?format=google');
  assert.match(String(answer.headers['content-disposition']), /trattoria-google-.*\.json/);
  assert.equal(JSON.parse(answer.text).menus.length, 1);
});

test('a file of a service is compared with the menu, and its losses are named', async () => {
  await page('/admin/import');
  const file = { name: 'menu.json', bytes: Buffer.from(JSON.stringify(deliverectPush)) };
  const fields = { do: 'show', service: 'deliverect' };
  const shown = (await visitor.upload('/admin/import', fields, file)).expect(200);
  assert.match(shown.text, /Burger/);
  assert.match(plainText(shown.text), /Che cosa il file non porta/);
});

test('an item library of Square is recognised, and read as one when its owner asks', async () => {
  await page('/admin/import');
  const file = { name: 'library.csv', bytes: Buffer.from(squareCsv) };
  const shown = await visitor.upload('/admin/import', { do: 'show' }, file);
  assert.match(plainText(shown.text), /libreria di articoli di Square/);
});
