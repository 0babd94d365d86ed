// An owner's own table is brought in on a phone: columns are chosen, its first rows shown, and applied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { restaurantOf, sectionOf } from '../support/restaurant.ts';

const slugs = { script: 'tabella-con-script', plain: 'tabella-senza-script' };

const menu = () => [sectionOf('Bar', [])];
const pages = await panelPages([
  restaurantOf(slugs.script, menu()),
  restaurantOf(slugs.plain, menu()),
]);

const rows = Array.from(
  { length: 25 },
  (_, at) => `Cocktail;Spritz numero ${at};Prosecco;1.${at + 100};x`,
);
const buffer = Buffer.from(
  `Reparto;Descr. breve;Ingredienti;Listino;Note interne\n${rows.join('\n')}\n`,
);

for (const [kind, slug] of Object.entries(slugs)) {
  const javaScriptEnabled = kind === 'script';
  test(`columns are chosen and a table is applied, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await pages.enter(slug, '/admin/import', { ...narrowPhone, javaScriptEnabled });
    const look = async (name: string, hasNewForm = true) => {
      if (javaScriptEnabled) await checkOnPhone(page, hasNewForm);
      await keepPicture(page, `${name}-${kind}`);
    };

    await page
      .locator('#file')
      .setInputFiles({ name: 'listino.csv', mimeType: 'text/csv', buffer });
    await opens(page, () => page.locator('main button[value="show"]').click());
    const name = page.getByLabel('Descr. breve');
    await name.waitFor();
    // The form of the question has all of it.
    await look('columns', false);
    await name.selectOption('name');
    // A column that is understood opens on demand.
    await page.locator('summary').filter({ hasText: 'Listino' }).click();
    await page.getByLabel('Listino', { exact: true }).selectOption('price');
    await opens(page, () => page.locator('.table button[value="show"]').click());
    const question = page.getByRole('alert').filter({ hasText: 'si può leggere in due modi' });
    await question.waitFor();
    await look('question');
    assert.equal(await page.getByLabel('Descr. breve').inputValue(), 'name');
    await page.getByLabel('Segno dei decimali').first().selectOption(',');
    await opens(page, () => page.locator('.table button[value="show"]').click());
    const shown = page.locator('.table-rows tbody tr');
    assert.equal(await shown.count(), 20);
    assert.equal(
      await shown.first().innerText(),
      '2\tCocktail\tSpritz numero 0\tProsecco\t1100,00',
    );
    await look('rows');
    await opens(page, () => page.locator('main button[value="apply"]').click());
    await page.getByRole('status').filter({ hasText: '26' }).first().waitFor();
    await page.goto('/');
    await page
      .locator('.dish')
      .filter({ hasText: 'Spritz numero 24' })
      .filter({ hasText: /1\.?124,00/ })
      .waitFor();
  });
}
