// Menus that come to screens without a network: a file from a stick, and a signed one.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { issueToken } from '../support/admin.ts';
import { connectBrowser } from '../support/browser.ts';
import { createStick, downloadBundle } from '../support/bundle.ts';
import { displayPages, untilLaidOut } from '../support/display-pages.ts';
import { afterFile } from '../support/for-file.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { openOlderBrowser } from '../support/older-browser.ts';
import { placedScreen } from '../support/placed-screen.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const HD = { width: 1920, height: 1080 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const visibleText = (page: Page) => page.locator('#menu').innerText();

const languages = { supported_locales: ['it', 'en'] } as const;
const offer = {
  ...{ label_translations: {}, price: 5, weekdays: null, time_start: '00:00', time_end: '00:00' },
  ...{ date_start: null, date_end: null },
};
const house = (slug: string) =>
  restaurantOf(
    slug,
    [
      sectionOf('Primi', {
        dishes: [
          dishOf('Gnocchi', { price: 11, allergens: ['latte'] }),
          dishOf('Gricia', { price: 12 }),
          dishOf('Zuppa', { price: 8 }),
        ],
      }),
    ],
    { ...languages, supported_locales: [...languages.supported_locales] },
  );

const pages = await displayPages([house('osteria'), house('locanda')], { alone: true });
/** A screen of the first restaurant. */
let firstScreen = 0;
const stick = await createStick();
afterFile(() => stick.remove());

async function bundleOf(slug: string, screen: number, form: 'html' | 'lavagna', name: string) {
  const token = await issueToken(pages.db, pages.tenantId(slug));
  const { bytes } = await downloadBundle(pages.client(slug), token, screen, form);
  return stick.put(name, bytes);
}

/** The names of one short word that a line cuts; no language has a hyphen for them. */
const cutNames = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('.dish:not(.off) .own')].flatMap(({ firstChild }) => {
    const range = document.createRange();
    range.selectNodeContents(firstChild);
    return range.getClientRects().length > 1 ? [firstChild.textContent] : [];
  })`);

const picture = (page: Page, name: string) => keepPicture(page, `bundle-${name}`, false);

test('a file from a stick shows the wall without a network, in its languages, by its own clock', async () => {
  const { id, set, context: first } = await placedScreen(pages, 'osteria');
  firstScreen = id;
  await first.close();
  await set({ languages: ['it', 'en'] });
  const soon = new Date(Date.now() + HOUR).toISOString();
  await pages.change(
    'osteria',
    `update dishes set
      visible_from = case name ->> 'it' when 'Zuppa' then timestamptz '${soon}' end,
      offers = case name ->> 'it' when 'Gricia' then '[${JSON.stringify(offer)}]'::jsonb else offers end
     where tenant_id = $1`,
  );
  const path = await bundleOf('osteria', id, 'html', 'menu.html');
  const url = pathToFileURL(path).href;
  const browser = await connectBrowser();
  const openAt = async (time: number) => {
    const still = { reducedMotion: 'reduce' as const };
    const context = await browser.newContext({ viewport: HD, locale: 'it-IT', ...still });
    await context.setOffline(true);
    const page = await context.newPage();
    const asked: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.clock.install({ time });
    await page.goto(url);
    await untilLaidOut(page);
    const close = async () => {
      assert.deepEqual(errors, []);
      const outside = asked.filter((one) => one !== url && !one.startsWith('data:'));
      assert.deepEqual(outside, []);
      await context.close();
    };
    return { page, close };
  };
  try {
    const now = await openAt(Date.now() + 1_000);
    assert.match(await visibleText(now.page), /Gnocchi/);
    assert.doesNotMatch(await visibleText(now.page), /Zuppa/);
    assert.match(await now.page.innerText('#updated'), /\d\d:\d\d/);
    assert.equal(await now.page.locator('.offer.holds').count(), 1);
    assert.deepEqual(await cutNames(now.page), []);
    await picture(now.page, 'now');
    await until('the menu comes in the next language', async () => {
      await now.page.clock.runFor(1_000);
      return (await now.page.getAttribute('html', 'lang')) === 'en';
    });
    await now.page.clock.fastForward('01:10:00');
    await until('the dish appears at its moment', async () => {
      await now.page.clock.runFor(1_000);
      return (await visibleText(now.page)).includes('Zuppa');
    });
    await now.close();

    const late = await openAt(Date.now() + 40 * DAY);
    assert.equal(await late.page.locator('html.expired').count(), 1);
    assert.match(await late.page.innerText('#outage'), /\d\d:\d\d/);
    assert.equal(await late.page.locator('.marks:visible, #legend li:visible').count(), 0);
    assert.equal(await late.page.locator('#ask-staff:visible').count(), 1);
    await picture(late.page, 'expired');
    await late.close();

    const early = await openAt(Date.now() - 40 * DAY);
    assert.equal(await early.page.locator('.offer:visible').count(), 0);
    assert.notEqual(await early.page.innerText('#outage'), '');
    assert.equal(await early.page.locator('html.expired').count(), 0);
    await picture(early.page, 'clock-behind');
    await early.close();

    for (const version of [77, 83] as const) {
      const old = await openOlderBrowser(version, HD);
      await old.open(url);
      await until(`Chromium ${version} lays the menu out`, () =>
        old.evaluate<boolean>(`'laidOut' in document.documentElement.dataset`),
      );
      const text = await old.evaluate<string>(`document.getElementById('menu').innerText`);
      assert.match(text, /Gnocchi/);
      assert.deepEqual(old.errors, []);
      const { SCREENSHOTS: folder } = process.env;
      const path = join(folder ?? '', `bundle-chromium-${version}.png`);
      if (folder) await writeFile(path, await old.screenshot());
      await old.close();
    }
  } finally {
    await browser.close();
  }
});

test('a screen takes a signed menu without a network, keeps it, and refuses older and foreign ones', async () => {
  const { page, context, id } = await placedScreen(pages, 'locanda');
  const foreign = await bundleOf('osteria', firstScreen, 'lavagna', 'foreign.lavagna');
  const former = await bundleOf('locanda', id, 'lavagna', 'former.lavagna');
  await until('the screen keeps its page', () =>
    page.evaluate<boolean>(`caches.match('/screen').then((copy) => Boolean(copy))`),
  );
  await until('the screen knows the key', () =>
    page.evaluate<boolean>(
      `(JSON.parse(localStorage.getItem('settings') || '{}').bundle_keys || []).length > 0`,
    ),
  );
  await context.setOffline(true);
  await pages.change('locanda', 'update dishes set price = 77 where tenant_id = $1');
  const next = await bundleOf('locanda', id, 'lavagna', 'next.lavagna');
  await pages.stopGateway();
  const give = (path: string) => page.setInputFiles('input[type=file]', path);
  const drop = async (path: string) => {
    const bytes = JSON.stringify((await readFile(path)).toString('base64'));
    const dataTransfer = await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob(${bytes}), (one) => one.charCodeAt(0));
      const dropped = new DataTransfer();
      dropped.items.add(new File([bytes], 'menu.lavagna'));
      return dropped;
    })()`);
    await page.dispatchEvent('body', 'drop', { dataTransfer });
  };
  const refused = async (path: string, said: RegExp, hand = give) => {
    await hand(path);
    await page.waitForSelector('#stick-said:visible');
    assert.match(await page.innerText('#stick-said'), said);
    await page.evaluate(`document.getElementById('stick-said').hidden = true`);
  };
  await refused(foreign, /firmato/);
  await refused(foreign, /firmato/, drop);
  assert.doesNotMatch(await visibleText(page), /77/);
  await drop(next);
  await until('the screen shows the new prices', async () =>
    (await visibleText(page).catch(() => '')).includes('77'),
  );
  await untilLaidOut(page);
  await picture(page, 'imported');
  await refused(former, /vecchio/);
  assert.match(await visibleText(page), /77/);
  await pages.restartGateway();
  await context.setOffline(false);
  await pages.change('locanda', 'update dishes set price = 88 where tenant_id = $1');
  await page.reload();
  await until('the screen follows the network again', async () =>
    (await visibleText(page).catch(() => '')).includes('88'),
  );
  await context.close();
});
