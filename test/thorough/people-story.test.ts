// An owner on a phone and a waiter on a tablet, by keyboard, with and without a script: from the
// invitation to the last day. PEOPLE_PICTURES names a folder for pictures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { EMAIL } from '../support/panel.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const folder = process.env.PEOPLE_PICTURES;
const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const WAITER = 'ugo@trattoria.example';
/** Dishes that are not sold out. */
const ON_MENU = '.service section:not(.out) li:not(.gone)';
const CHOSEN = 'gnocchi al ragù';

const pages = await panelPages([trattoria, pizzeria]);

async function picture(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Presses the tab key until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the tab key does not lead to ${target}`);
}

async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, page.locator(selector));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Presses a link or a button that leads to another page. */
async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await opens(page, () => page.keyboard.press('Enter'));
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  assert.ok(box, `${element} is not shown`);
  return box;
}

/** Chooses a role by the arrow keys, from the one that is chosen. */
async function chooseRole(page: Page, role: string): Promise<void> {
  await tabTo(page, page.locator('input[name="role"]:checked'));
  for (let presses = 0; presses < 3; presses += 1) {
    if (await page.locator(`#role-${role}`).isChecked()) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`the arrow keys do not lead to ${role}`);
}

/** Signs the waiter in by keyboard. */
async function signIn(page: Page, password: string): Promise<void> {
  await page.goto('/admin/sign-in');
  await type(page, '#email', WAITER);
  await type(page, '#password', password);
  await page.keyboard.press('Enter');
}

/** The link that a page shows once, which its code shows as well. */
async function shownLink(page: Page): Promise<string> {
  const link = await page.locator('#link-value').inputValue();
  const { data, info } = await sharp(await page.locator('.reveal .code').screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.equal(decodeQR({ ...info, data: new Uint8Array(data) }), link);
  return new URL(link).pathname;
}

const pathIs = (page: Page, path: string) => page.waitForURL(({ pathname }) => pathname === path);

// Without script every page has to come from the service: that is for the long walk.
for (const javaScriptEnabled of isThorough ? [true, false] : [true]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`a waiter is invited, marks dishes, becomes an editor and leaves, ${how} JavaScript`, async () => {
    const script = { javaScriptEnabled };
    const owner = await pages.enter('trattoria', '/admin/people', { ...narrowPhone, ...script });
    await type(owner, '#name', 'Ugo');
    await type(owner, '#email', WAITER);
    await chooseRole(owner, 'service');
    await press(owner, owner.getByRole('button', { name: 'Crea l’invito' }));
    await owner.locator('.reveal').waitFor();
    if (javaScriptEnabled) await checkOnPhone(owner);
    await picture(owner, `invitation-${how}`);

    const tablet = await pages.visit('trattoria', await shownLink(owner), { ...TABLET, ...script });
    await picture(tablet, `join-${how}`);
    await type(tablet, '#password', CHOSEN);
    await tablet.keyboard.press('Enter');
    await pathIs(tablet, '/admin/service');
    const first = tablet.locator(ON_MENU).first();
    const dish = await first.locator('.name').innerText();
    const row = await first.getAttribute('id');
    await press(tablet, first.getByRole('button', { name: 'Oggi' }));
    const marked = tablet.locator('.service .out').getByText(dish);
    await marked.waitFor();
    // The dish stays in its place, and is among those that are sold out, too.
    const name = await boxOf(tablet.locator(`#${row}`));
    const bar = await boxOf(tablet.locator('.places'));
    assert.ok(name.y >= bar.y + bar.height || name.y < bar.y, 'the bar covers the dish');
    await picture(tablet, `service-${how}`);
    await checkEnd(dish);

    // The owner marks another dish; without a script a reload shows it.
    const other = await markByOwner(owner);
    const sees = async () => {
      if (!javaScriptEnabled) await tablet.reload();
      return (await tablet.locator('.service .out').innerText()).includes(other);
    };
    await until('the tablet does not show the dish of the owner', sees);

    await openPerson(owner);
    await owner.getByRole('heading', { name: 'Accessi', exact: false }).first().waitFor();
    await chooseRole(owner, 'editor');
    await picture(owner, `person-${how}`);
    await press(owner, owner.getByRole('button', { name: 'Salva', exact: true }));
    await owner.getByText('Salvato.').waitFor();
    // The former role is over; with a script the tablet says so at the next change.
    if (javaScriptEnabled) await markByOwner(owner);
    else await tablet.goto('/admin/service');
    await pathIs(tablet, '/admin/sign-in');
    await signIn(tablet, CHOSEN);
    await pathIs(tablet, '/admin');
    await tablet.goto('/admin/menu');
    assert.equal(new URL(tablet.url()).pathname, '/admin/menu');

    await openPerson(owner);
    await press(owner, owner.getByRole('button', { name: 'Chiudi tutti gli accessi' }));
    await owner.getByText('Salvato.').waitFor();
    await tablet.goto('/admin/menu');
    assert.match(tablet.url(), /sign-in/);

    // Somebody who forgot the password gets a link of the owner.
    await press(tablet, tablet.getByRole('link', { name: 'Password dimenticata' }));
    await pathIs(tablet, '/admin/forgotten');
    await press(owner, owner.getByRole('button', { name: 'Crea un link' }));
    await owner.locator('.reveal').waitFor();
    await tablet.goto(await shownLink(owner));
    await type(tablet, '#password', `${CHOSEN} di casa`);
    await tablet.keyboard.press('Enter');
    await pathIs(tablet, '/admin');

    await openPerson(owner);
    await press(owner, owner.getByRole('button', { name: 'Rimuovi' }));
    await owner.getByText('Ugo non può più entrare.').waitFor();
    await picture(owner, `removed-${how}`);
    await tablet.goto('/admin');
    assert.match(tablet.url(), /sign-in/);
    await signIn(tablet, `${CHOSEN} di casa`);
    await tablet.getByText('E-mail o password non corretti.').waitFor();
  });
}

/** Guests read until when a dish is sold out. */
async function checkEnd(dish: string): Promise<void> {
  const { json } = await pages.service.client.get('/items?per_page=100');
  const found = json.data.find(({ name }: { name: string }) => name === dish);
  assert.equal(found.is_sold_out, true);
  assert.ok(Date.parse(found.sold_out_until) > Date.now());
}

/** Marks the last dish by the owner's own page; the dish's name. */
async function markByOwner(owner: Page): Promise<string> {
  await owner.goto('/admin/service');
  const last = owner.locator(ON_MENU).last();
  const name = await last.locator('.name').innerText();
  await last.locator('summary').click();
  await last.getByRole('button', { name: 'Finché non lo dico io' }).click();
  await owner.locator('.service .out').getByText(name).waitFor();
  return name;
}

/** Opens the waiter's page from the list. */
async function openPerson(owner: Page): Promise<void> {
  await owner.goto('/admin/people');
  await press(owner, owner.getByRole('link', { name: 'Gestisci: Ugo' }));
  await owner.waitForURL(/\/admin\/people\/\d+$/);
}

test('the pages of the story speak the reader’s language on phone and tablet', async () => {
  for (const locale of isThorough ? ['de-DE', 'fr-FR'] : ['de-DE']) {
    const paths = ['/admin/people', '/admin/account', '/admin/service'] as const;
    const page = await pages.enter('trattoria', paths[0], { ...narrowPhone, locale }, EMAIL);
    for (const path of paths) {
      await page.setViewportSize(narrowPhone.viewport);
      await page.goto(path);
      await checkOnPhone(page);
      assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2));
      await picture(page, `${path.split('/').at(-1)}-${locale.slice(0, 2)}-phone`);
      await page.setViewportSize(TABLET.viewport);
      await picture(page, `${path.split('/').at(-1)}-${locale.slice(0, 2)}-tablet`);
    }
    await page.context().close();
  }
});
