// The preview beside a form: with JavaScript it follows what is typed, without it a button shows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { barriersOf } from '../support/barriers.ts';
import { panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const dishes = [dishOf('Bruschetta', { price: 6, allergens: ['latte'] }), dishOf('Supplì')];
const pages = await panelPages([restaurantOf('anteprima', [sectionOf('Antipasti', dishes)])]);

/** The contents of the visible frame. */
const shown = (page: Page) => page.frameLocator('.preview iframe:not(.coming)');
const untilShown = (page: Page, text: string) =>
  shown(page).locator('.dish').filter({ hasText: text }).waitFor();

test('the bar and the button cover neither the preview nor the field that the tab key leads to', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1', {
    viewport: { width: 1280, height: 800 },
  });
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return { ...box, end: box.y + box.height };
  };
  await page.locator('.drafting input, .drafting select').first().focus();
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    const field = page.locator('.drafting .field :focus:not(textarea)');
    if ((await field.count()) === 0) continue;
    const { y, end } = await boxOf('.drafting .field :focus');
    const [bar, button] = [await boxOf('.places'), await boxOf('.save')];
    assert.ok(y >= bar.end && end <= button.y, await field.evaluate(({ id }) => id));
  }
  const [bar, preview] = [await boxOf('.places'), await boxOf('.preview')];
  assert.ok(preview.y >= bar.end, `${preview.y} is above ${bar.end}`);
});

/** Waits until the document in the frame looks as it should. */
async function untilStyled(page: Page, wanted: { background?: string; font?: string }) {
  const styleOf = () =>
    shown(page)
      .locator(':root')
      .evaluate((root) => {
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types we lack.
        const style = (globalThis as any).getComputedStyle(root);
        return { background: style.backgroundColor, font: style.fontFamily };
      })
      // The frame of the next answer has just taken its place.
      .catch(() => null);
  await until(`the preview does not have ${JSON.stringify(wanted)}`, async () => {
    const style = await styleOf();
    return style !== null && isDeepStrictEqual({ ...style, ...wanted }, style);
  });
}

const countWrites = async () =>
  (await pages.service.sql('select count(*)::int from writes'))[0].count;

test('the preview of a dish follows what is typed, and nothing is written', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1');
  await untilShown(page, 'Bruschetta');
  const length = await page.evaluate('history.length');
  const name = page.locator('[name="name.it"]');
  await name.fill('');
  await name.pressSequentially('Bruschetta al pomodoro');
  await untilShown(page, 'Bruschetta al pomodoro');
  await shown(page).locator('summary').click();
  await page.locator('[name="price"]').fill('7,25');
  await untilShown(page, '7,25');
  await shown(page).locator('details[open]').waitFor();
  await page.locator('[name="preview_locale"]').selectOption('en');
  await untilShown(page, '€7.25');
  await page.getByRole('button', { name: 'Anteprima' }).click();
  await untilShown(page, '€7.25');
  assert.equal(await page.evaluate('history.length'), length, 'back leaves the page at once');
  assert.deepEqual(await barriersOf(page), []);
  assert.equal(await countWrites(), 0);
});

test('while an answer is on its way, what is typed waits for it and is sent in one request', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1');
  await untilShown(page, 'Bruschetta');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requests = 0;
  await page.route('**/admin/menu/items/1/preview', async (route) => {
    requests += 1;
    if (requests === 1) await held;
    await route.continue();
  });
  await page.locator('[name="name.it"]').press('End');
  await page.locator('[name="name.it"]').pressSequentially(' con aglio e olio');
  release();
  await untilShown(page, 'Bruschetta con aglio e olio');
  assert.equal(requests, 2);
});

test('after a preview that failed the former one stays, and the next one comes', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1');
  await untilShown(page, 'Bruschetta');
  await page.route('**/admin/menu/items/1/preview', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.locator('[name="name.it"]').fill('Perduta');
  await failed;
  await page.locator('.preview iframe.coming').waitFor({ state: 'detached' });
  await untilShown(page, 'Bruschetta');
  await page.unroute('**/admin/menu/items/1/preview');
  await page.locator('[name="name.it"]').fill('Ritrovata');
  await untilShown(page, 'Ritrovata');
});

test('a form that holds what is not saved is previewed with it at once', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/new?section=1');
  await page.locator('[name="name.it"]').fill('Fiori di zucca');
  await untilShown(page, 'Fiori di zucca');
  await page.getByRole('button', { name: 'Aggiungi al menù' }).click();
  await page.getByRole('alert').waitFor();
  await untilShown(page, 'Fiori di zucca');
});

test('colours, fonts and warnings of a theme follow what is chosen', async () => {
  const page = await pages.enter('anteprima', '/admin/appearance');
  await untilShown(page, 'Bruschetta');
  const set = async (name: string, value: string, wanted: string) => {
    await page.locator(`[name="${name}"]`).fill(value);
    await page.getByRole('status').filter({ hasText: wanted }).waitFor();
  };
  await set('background_color', '#808080', '«Testo» e «Sfondo» hanno poco contrasto');
  await untilStyled(page, { background: 'rgb(128, 128, 128)' });
  assert.equal(await shown(page).locator('.warnings').count(), 0, 'they are said once');
  await page.locator('[name="background_color"]').fill('#ffffff');
  await page.locator('[name="text_color"]').fill('#000000');
  await page.locator('.warned').filter({ hasNotText: '«Testo»' }).waitFor({ state: 'attached' });
  await page.locator('[name="font_family"]').selectOption('Lora, serif');
  await untilStyled(page, { font: 'Lora, serif' });
  assert.equal(await countWrites(), 0);
});

test('without JavaScript the button shows the preview and the form keeps what was typed', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1', {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  await untilShown(page, 'Bruschetta');
  await page.locator('[name="name.it"]').fill('Bruschetta senza script');
  await page.getByRole('button', { name: 'Anteprima' }).click();
  await untilShown(page, 'Bruschetta senza script');
  assert.equal(await page.locator('[name="name.it"]').inputValue(), 'Bruschetta senza script');
  await page.goto('/admin/appearance');
  await page.locator('[name="background_color"]').fill('#808080');
  await page.getByRole('button', { name: 'Anteprima' }).click();
  await shown(page).getByText('«Testo» e «Sfondo» hanno poco contrasto').waitFor();
  assert.equal(await countWrites(), 0);
});

test('a change while the form is being saved does not stop the saving', async () => {
  const page = await pages.enter('anteprima', '/admin/menu/items/1');
  await untilShown(page, 'Bruschetta');
  await page.locator('[name="name.it"]').fill('Bruschetta calda');
  await untilShown(page, 'Bruschetta calda');
  await page.locator('.preview iframe.coming').waitFor({ state: 'detached' });
  await page.evaluate(`(() => {
      document.querySelector('.save .main').click();
      document.querySelector('[name="name.it"]').dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  await page.getByRole('status').filter({ hasText: 'è salvato' }).waitFor();
});
