// An owner takes photos with a phone, puts one on a dish and one on a section, and guests see them.
// With SCREENSHOTS=<folder> the test also leaves a picture of each page there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { holdRequests, opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { heic, picture } from '../support/pictures.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const slug = 'trattoria';
const dishes = ['Gricia', 'Carbonara', 'Amatriciana'].map((name) => dishOf(name, { price: 12 }));
const menu = [sectionOf('Primi', dishes), sectionOf('Dolci', [dishOf('Gelato')])];
const open = { opening_hours: [], closures: [] };
const pages = await panelPages([restaurantOf(slug, menu, open)]);

const file = async (name: string, seed: number, width = 1_400, height = 1_050) => {
  const buffer = await picture({ seed, width, height, orientation: 6 });
  return { name, mimeType: 'image/jpeg', buffer };
};

const looks = (page: Page, name: string) => keepPicture(page, `photos-${name}`, false);

const save = (page: Page) =>
  page.getByRole('button', { name: 'Salva', exact: true }).first().click();

const dishWithId = async (id: number) =>
  (await pages.service.gateway.client(slug).get(`/items/${id}`)).json.data;

test('a photo is taken in the form of a dish, cut by a tap, and seen on page, paper and wall', async () => {
  const page = await pages.enter(slug, '/admin/menu/items/1', { ...narrowPhone, hasTouch: true });

  // A photo that an iPhone may send is refused with advice, and typed texts stay.
  await page.getByLabel('Italiano', { exact: true }).first().fill('Gricia romana');
  const input = page.locator('input[name="photo_id.file"]');
  const upload = page.locator('[data-upload="photo_id"]');
  await page.locator('details', { has: input }).evaluateAll((all) => {
    for (const one of all) (one as unknown as { open: boolean }).open = true;
  });
  await input.setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic() });
  await upload.getByRole('status').filter({ hasText: 'HEIC' }).waitFor();
  await looks(page, 'heic');

  // The photo is sent when it is taken, and chosen before the form is saved.
  await input.setInputFiles([await file('IMG_2.JPG', 1), await file('IMG_3.JPG', 5)]);
  await page.locator('.photo-choice:has(img)').nth(1).waitFor();
  assert.equal(await page.locator('.photo-choice:has(img) input:checked').count(), 1);
  await checkOnPhone(page);
  await looks(page, 'form');
  assert.equal((await dishWithId(1)).photo, null, 'nothing is saved yet');
  await opens(page, () => save(page));
  await page.getByRole('status').filter({ hasText: 'è salvato' }).first().waitFor();
  const dish = await dishWithId(1);
  assert.equal(dish.name, 'Gricia romana');
  assert.deepEqual([dish.photo.width, dish.photo.height], [1_050, 1_400], 'it is upright');

  // Several at once, on the page of all photos.
  await page.goto('/admin/photos');
  const several = [await file('A.JPG', 2), await file('B.JPG', 3)];
  await page.locator('#photos').setInputFiles(several);
  await page.locator('.photo-grid li').nth(3).waitFor();
  await checkOnPhone(page);
  await looks(page, 'all');

  // A tap sets what must stay visible.
  await page.goto(`/admin/photos/${dish.photo_id}`);
  const box = await page.locator('.focus div').boundingBox();
  assert.ok(box);
  await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.75);
  // The browser makes a click of a tap a moment later.
  const focusOf = (axis: string) => page.locator(`#f-focus_${axis}`).inputValue();
  await until('the tap sets no place', async () => (await focusOf('x')) === '25');
  assert.equal(await focusOf('y'), '75');
  await page.getByLabel('Italiano', { exact: true }).first().fill('Un piatto di gricia');
  await checkOnPhone(page);
  await looks(page, 'focus');
  await opens(page, () => save(page));
  await page.getByRole('status').filter({ hasText: 'salvat' }).first().waitFor();

  await seenByGuests(page);
});

/** The page of guests, while photos are on their way and afterwards; then paper, and a wall. */
async function seenByGuests(owner: Page): Promise<void> {
  const page = await owner.context().newPage();
  const release = await holdRequests(page, '**/media/**');
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const photo = page.locator('#dish-1 img.photo');
  assert.equal(await photo.getAttribute('alt'), 'Un piatto di gricia');
  // The placeholder: a picture of a few pixels below the photo.
  await until('no placeholder is drawn', () =>
    page.evaluate(
      `document.querySelector('#dish-1 img.photo').style.background.includes('data:image/png')`,
    ),
  );
  await looks(page, 'placeholder');
  release();
  await until('the photo is not shown', () =>
    page.evaluate(`(() => { const image = document.querySelector('#dish-1 img.photo');
      return image.complete && image.naturalWidth > 0 && image.style.background === ''; })()`),
  );
  assert.match(
    await photo.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc),
    /-320\.avif$/,
  );
  assert.equal(await page.evaluate('window.shift'), 0, 'nothing moves');
  await looks(page, 'page');
  await page.setViewportSize({ width: 1_000, height: 1_400 });
  await page.emulateMedia({ media: 'print' });
  assert.ok(await photo.isVisible(), 'it is on paper');
  await looks(page, 'paper');
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1_920, height: 1_080 });
  await page.goto('/?screen=1');
  await photo.waitFor({ state: 'visible' });
  await looks(page, 'wall');
}

test('a form that is saved while its photo is on its way is sent when the photo is there', async () => {
  const page = await pages.enter(slug, '/admin/menu/items/2', narrowPhone);
  const arrive = await holdRequests(page, '**/admin/photos');
  await page.locator('input[name="photo_id.file"]').setInputFiles(await file('D.JPG', 6));
  await save(page);
  arrive();
  await page.getByRole('status').filter({ hasText: 'è salvato' }).first().waitFor();
  assert.notEqual((await dishWithId(2)).photo, null);
});

test('without JavaScript a button uploads the photo of a section, and the form keeps it', async () => {
  const plain = { ...narrowPhone, javaScriptEnabled: false };
  const page = await pages.enter(slug, '/admin/menu/sections/2', plain);
  const group = page.locator('[data-upload="photo_id"]');
  await page.locator('summary', { hasText: 'Foto' }).first().click();
  await group.locator('input[type="file"]').setInputFiles(await file('C.JPG', 4, 1_600, 700));
  await opens(page, () => group.getByRole('button', { name: 'Carica' }).click());
  const words = page.locator('main').locator('[role="status"], [role="alert"], .error');
  const told = words.filter({ hasText: /./ });
  await told.first().waitFor();
  assert.match((await told.allInnerTexts()).join(), /1 foto caricata/);
  assert.equal(await page.locator('.photo-choice:has(img) input:checked').count(), 1);
  await opens(page, () => save(page));
  const saved = page.getByRole('status').filter({ hasText: /salvat/ });
  await saved.first().waitFor();
  const { data } = (await pages.service.gateway.client(slug).get('/menu')).json;
  assert.equal(data.sections[1].photo.height, 1_600);
  await page.setViewportSize({ width: 1_920, height: 1_080 });
  await page.goto('/');
  await page.locator('.section-photo').waitFor({ state: 'visible' });
});
