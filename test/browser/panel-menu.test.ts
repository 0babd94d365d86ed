// The owner's desk in a browser, on a phone: with JavaScript and without it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Running } from '../../db/runtime/running.ts';
import { connectBrowser } from '../support/browser.ts';
import { type MenuService, startMenuService } from '../support/menu-service.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { startTestWorker } from '../support/worker.ts';

const menu = () => [
  sectionOf('Antipasti', { dishes: [dishOf('Bruschetta', { price: 6 })] }),
  sectionOf('Primi', { dishes: [dishOf('Gricia', { price: 11 }), dishOf('Amatriciana')] }),
];
const slugs = { script: 'con-script', plain: 'senza-script' };

let service: MenuService;
let worker: Running;
let browser: Browser;
before(async () => {
  const restaurants = Object.values(slugs).map((slug) => restaurantOf(slug, menu()));
  service = await startMenuService(restaurants as [(typeof restaurants)[0]]);
  worker = await startTestWorker(service.databaseUrl);
  for (const id of [service.tenantId, service.tenantId + 1]) await addUser(service.db, id);
  browser = await connectBrowser();
});
after(async () => {
  await browser.close();
  await worker.stop();
  await service.stop();
});

/** What is wrong with a page for those who cannot see it, and whether it fits a phone. */
async function check(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(width) <= 360, `${page.url()} is ${width} px wide`);
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
  assert.deepEqual(found, [], page.url());
}

for (const [kind, slug] of Object.entries(slugs)) {
  const javaScriptEnabled = kind === 'script';
  test(`a menu is kept up to date on a phone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const context = await browser.newContext({
      ...{ baseURL: `http://${slug}.localhost:${service.gateway.port}`, locale: 'it-IT' },
      ...{ javaScriptEnabled, viewport: { width: 360, height: 740 }, isMobile: true },
    });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    // Without JavaScript the browser runs no check of ours either.
    const checkPage = () => (javaScriptEnabled ? check(page) : Promise.resolve());
    const said = (text: string) =>
      page.getByRole('status').filter({ hasText: text }).first().waitFor();
    const publicMenu = async () =>
      (await service.gateway.client(slug).get('/menu')).json.data.sections;

    await page.goto('/admin/menu');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accedi' }).click();
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
    await context.close();
  });
}
