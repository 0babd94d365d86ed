// The owner's desk in a browser, on a phone: with JavaScript and without it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { createPanelStage, narrowPhone, type PanelStage } from '../support/panel-stage.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

const menu = () => [
  sectionOf('Antipasti', { dishes: [dishOf('Bruschetta', { price: 6 })] }),
  sectionOf('Primi', { dishes: [dishOf('Gricia', { price: 11 }), dishOf('Amatriciana')] }),
];
const slugs = { script: 'con-script', plain: 'senza-script' };

let stage: PanelStage;
before(async () => {
  stage = await createPanelStage([
    restaurantOf(slugs.script, menu()),
    restaurantOf(slugs.plain, menu()),
  ]);
});
after(() => stage.close());

for (const [kind, slug] of Object.entries(slugs)) {
  const javaScriptEnabled = kind === 'script';
  test(`a menu is kept up to date on a phone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await stage.enter(slug, '/admin/menu', { ...narrowPhone, javaScriptEnabled });
    // Without JavaScript the browser runs no check of ours either.
    const checkPage = () => (javaScriptEnabled ? checkOnPhone(page) : Promise.resolve());
    const said = (text: string) =>
      page.getByRole('status').filter({ hasText: text }).first().waitFor();
    const publicMenu = async () =>
      (await stage.service.gateway.client(slug).get('/menu')).json.data.sections;

    await page.getByRole('heading', { level: 1, name: 'Menù' }).waitFor();
    await checkPage();

    await page.getByRole('link', { name: 'Primi' }).click();
    await page.getByRole('link', { name: 'Nuovo piatto' }).click();
    await page.getByRole('group', { name: 'Nome' }).getByLabel('Italiano').fill('Carbonara');
    await page.getByRole('group', { name: 'Nome' }).getByLabel('English').fill('Carbonara!');
    await checkPage();
    await page.getByRole('button', { name: 'Aggiungi al menù' }).click();
    await page.getByRole('alert').waitFor();
    await checkPage();
    await page.getByLabel('Prezzo', { exact: true }).first().fill('12,50');
    await page.getByRole('button', { name: 'Aggiungi al menù' }).click();
    await said('«Carbonara» è sul menù');
    await checkPage();

    await page.getByLabel('Prezzo di «Carbonara»').fill('13');
    await page.getByLabel('Prezzo di «Carbonara»').press('Enter');
    await said('«Carbonara» ora costa 13');
    await page.getByRole('button', { name: 'Esaurito: Gricia' }).click();
    await said('«Gricia» è esaurito');
    const [, primi] = await publicMenu();
    const dish = (name: string) =>
      primi.items.find((one: { name: string }) => one.name === name) ?? {};
    assert.equal(dish('Carbonara').price, 13);
    assert.equal(dish('Carbonara').name_translations.en, 'Carbonara!');
    assert.equal(dish('Gricia').is_sold_out, true);

    await page.getByRole('link', { name: 'Amatriciana', exact: true }).click();
    await page.getByRole('button', { name: 'Elimina' }).click();
    await said('«Amatriciana» non è più sul menù');
    assert.equal((await publicMenu())[1].items.length, 2);
    await page.getByRole('button', { name: 'Ripristina' }).click();
    await said('È tornato come prima');
    assert.equal((await publicMenu())[1].items.length, 3);

    await page.goto('/admin/menu');
    await page.getByRole('button', { name: 'Sposta «Primi» più su' }).click();
    await said('«Primi» è spostato');
    assert.deepEqual(
      (await publicMenu()).map(({ name }: { name: string }) => name),
      ['Primi', 'Antipasti'],
    );
    await page.goto('/');
    await page.getByText('Carbonara').first().waitFor();
    for (const path of [
      '/admin',
      '/admin/restaurant',
      '/admin/appearance',
      '/admin/menu/sections/new',
      '/admin/statistics',
      '/admin/qr',
      '/admin/print',
    ]) {
      await page.goto(path);
      await checkPage();
    }
    await page.context().close();
  });
}
