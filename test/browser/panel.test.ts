import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../../bench/processes/free-port.ts';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { barriersOf } from '../support/barriers.ts';
import { closingPages, connectBrowser, opens, openTab } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { afterFile } from '../support/for-file.ts';
import { EMAIL, PASSWORD } from '../support/panel.ts';
import { panelService } from '../support/panel-service.ts';
import { oddTheme } from '../support/restaurant.ts';
import { isThorough } from '../support/thorough.ts';

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
/** The smallest size that fingers can hit, in CSS pixels. */
const minTarget = 44;

const odd = {
  ...trattoria,
  slug: 'odd',
  settings: { ...trattoria.settings, name: '<script>alert(1)</script>' },
  theme: oddTheme,
};

const { gateway, sql } = await panelService([trattoria, pizzeria, odd]);
const { browser } = closingPages({ browser: await connectBrowser() });
afterFile(() => browser.close());
beforeEach(() => sql('delete from tokens'));

function origin(slug: string): string {
  return `http://${slug}.localhost:${gateway.port}`;
}

/** As the pages of a test say it. */
const complaints: string[] = [];
afterEach(() => assert.deepEqual(complaints.splice(0), []));

/** Opens a page whose every complaint fails the test, but for the `expected`. */
async function openPage(
  options: BrowserContextOptions & { slug?: string; expected?: RegExp } = {},
): Promise<Page> {
  // An answer that refuses a form is an error to the browser, not to us.
  const { slug = 'trattoria', expected = /status of 4\d\d/, ...rest } = options;
  const context = await browser.newContext({ baseURL: origin(slug), locale: 'it-IT', ...rest });
  context.setDefaultTimeout(60_000);
  context.on('console', (message) => {
    const isExpected = expected.test(message.text());
    if (message.type() === 'error' && !isExpected) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('dialog', async (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  return openTab(context, rest.javaScriptEnabled);
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/admin/api-tokens');
  assert.equal(new URL(page.url()).pathname, '/admin/sign-in');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /Accedi|Sign in/ }).click();
  await page.getByRole('heading', { level: 1, name: /Codici di accesso|Access codes/ }).waitFor();
}

/** Makes a token and returns the value in the banner. */
async function generate(page: Page, name = 'Sito web'): Promise<string> {
  await page.getByLabel('Nome').fill(name);
  await page.getByLabel('Leggere il menù').check();
  await opens(page, () => page.getByRole('button', { name: 'Genera il codice' }).click());
  const value = await page.getByLabel('Valore del codice').inputValue();
  assert.match(value, /^\d+\|[A-Za-z0-9]{40}$/);
  return value;
}

async function revoke(page: Page, name = 'Sito web'): Promise<void> {
  await page.getByRole('link', { name: `Revoca il codice «${name}»` }).click();
  await page.getByRole('heading', { name: `Revocare «${name}»?` }).waitFor();
  await page.getByRole('button', { name: 'Revoca il codice' }).click();
  await page.getByRole('status').filter({ hasText: 'è revocato' }).waitFor();
}

async function apiStatus(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  const { status } = await gateway.client('trattoria').get('/admin/items', headers);
  return status;
}

async function isFocused(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => element.matches(':focus'));
}

/** Waits until an element has the focus: it is what a screen reader reads first. */
function hasFocus(page: Page, selector: string): Promise<void> {
  return page.locator(`${selector}:focus`).waitFor();
}

test('the whole story: sign in, make a token, copy it, use it, revoke it', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await openPage({ permissions });
  await signIn(page);
  await page.getByText('Non c’è ancora nessun codice').waitFor();
  const value = await generate(page);
  await hasFocus(page, '.reveal');
  await page.getByRole('button', { name: 'Copia' }).click();
  await page.getByRole('status').filter({ hasText: 'Copiato' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  assert.equal(copied, value);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('form :visible, button:visible, a:visible').count(), 0);
  assert.equal(await page.getByRole('heading', { name: 'Sito web', exact: true }).count(), 1);
  await page.emulateMedia({ media: 'screen' });
  assert.equal(await apiStatus(value), 200);

  await page.reload();
  assert.equal(await page.getByLabel('Valore del codice').count(), 0);
  assert.equal(await page.locator('.token').count(), 1);

  await revoke(page);
  assert.equal(await apiStatus(value), 401);
  await page.getByRole('button', { name: 'Esci' }).click();
  await page.getByText('Sei uscito dal pannello.').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Accedi al pannello' }).waitFor();
});

test('however often the button is clicked, one form is sent, and its value is shown', async () => {
  const page = await openPage();
  const context = page.context();
  // Ten seconds of the page's own timers pass at once, and no more.
  await page.addInitScript(`
    const later = setTimeout;
    globalThis.setTimeout = (work, wait) => (wait < 10_000 ? later(work, 0) : 0);
  `);
  await signIn(page);
  await page.getByLabel('Nome').fill('Cassa');
  await page.getByLabel('Leggere il menù').check();
  const submit = page.getByRole('button', { name: 'Genera il codice' });
  let posts = 0;
  await context.route('**/admin/api-tokens', async (route) => {
    posts += 1;
    // A double click, then impatient ones while the first one is still on its way.
    for (let click = 0; posts === 1 && click < 5; click += 1) {
      await page.mouse.down();
      await page.mouse.up();
    }
    await route.continue();
  });
  await submit.click({ noWaitAfter: true });
  await page.getByLabel('Valore del codice').waitFor();
  assert.equal(posts, 1);
  await context.unrouteAll();
  await page.goto('/admin/api-tokens');
  await generate(page, 'Un altro');
});

test('going back and forth does not bring the value back', async () => {
  const page = await openPage();
  await signIn(page);
  await generate(page);
  await page.evaluate('dispatchEvent(new Event("pagehide"))');
  assert.equal(await page.getByLabel('Valore del codice').count(), 0, 'not in what is kept');
  await page.getByRole('link', { name: /^Revoca/ }).click();
  await page.getByRole('heading', { name: /^Revocare/ }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Sito web', exact: true }).waitFor();
  assert.equal(await page.getByLabel('Valore del codice').count(), 0);
  const isBusy = await page.evaluate(`(() => {
    const form = document.querySelector('.create form');
    form.setAttribute('aria-busy', 'true');
    dispatchEvent(new Event('pageshow'));
    return form.hasAttribute('aria-busy');
  })()`);
  assert.equal(isBusy, false, 'a page that is back can be used');
  await page.goBack();
  await page.goForward();
  assert.equal(await page.getByLabel('Valore del codice').count(), 0);
  const [{ count }] = await sql('select count(*)::int from tokens');
  assert.equal(count, 1);
});

test('all of it works without JavaScript', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  await signIn(page);
  await page.getByRole('button', { name: 'Genera il codice' }).click();
  await page.getByRole('alert').waitFor();
  const value = await generate(page);
  assert.equal(await page.getByRole('button', { name: 'Copia' }).count(), 0);
  assert.equal(await apiStatus(value), 200);
  // The browser sends the form again.
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'è già stato creato' }).waitFor();
  assert.equal(await page.getByLabel('Valore del codice').count(), 0);
  assert.equal(await page.locator('.token').count(), 1);
  await revoke(page);
  assert.equal(await apiStatus(value), 401);
});

test('all of it fits a phone and its fingers', async () => {
  const page = await openPage(PHONE);
  const check = async () => {
    await checkOnPhone(page, false);
    const targets = page.locator('main button:visible, main a.button, input[type="text"]');
    for (const target of await targets.all()) {
      const box = await target.boundingBox();
      assert.ok((box?.height ?? 0) >= minTarget, await target.innerHTML());
    }
  };
  await page.goto('/admin/sign-in');
  await check();
  await signIn(page);
  await check();
  const name = 'Unnomechenonfiniscemaiesenzanemmenounospazio'.repeat(2);
  const value = await generate(page, name);
  await check();
  assert.equal(await apiStatus(value), 200);
  await opens(page, () => page.getByRole('link', { name: /^Revoca/ }).click());
  await check();
  await opens(page, () => page.getByRole('button', { name: 'Revoca il codice' }).click());
  await page.getByRole('status').first().waitFor();
  await check();
  assert.equal(await apiStatus(value), 401);
});

test('all of it can be done with the keyboard', async () => {
  const page = await openPage();
  const { keyboard } = page;
  const focusTo = async (selector: string) => {
    // The page before may still be there.
    await page.locator(selector).first().waitFor();
    for (let presses = 0; presses < 40; presses += 1) {
      if (await isFocused(page, selector)) return;
      await keyboard.press('Tab');
    }
    assert.fail(`the tab key does not lead to ${selector}`);
  };
  await page.goto('/admin/sign-in?next=/admin/api-tokens');
  await keyboard.press('Tab');
  assert.ok(await isFocused(page, '.skip'), 'first comes the way past the masthead');
  await focusTo('#email');
  const outline = await page.locator('#email').evaluate((field) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types we lack.
    return (globalThis as any).getComputedStyle(field).outlineStyle;
  });
  assert.equal(outline, 'solid', 'the focus can be seen');
  await keyboard.type(EMAIL);
  await focusTo('#password');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname === '/admin/api-tokens');
  await focusTo('#name');
  await keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await hasFocus(page, '.notice');
  await focusTo('#name');
  await keyboard.type('Cassa');
  await focusTo('#scope-menu-write');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await focusTo('#token-value');
  await keyboard.press('Control+A');
  const selected = await page.evaluate('document.getSelection().toString()');
  assert.match(String(selected), /^\d+\|[A-Za-z0-9]{40}$/);
  await focusTo('.token .danger');
  await keyboard.press('Enter');
  await page.waitForURL('**/revoke');
  await focusTo('main button.main');
  await keyboard.press('Enter');
  await page.waitForURL('**/admin/api-tokens?revoked=*');
  await hasFocus(page, '.notice');
});

// An impossible theme, and a dark one on the long walk. The unit tests of themes try thousands.
for (const slug of isThorough ? ['odd', 'pizzeria'] : ['odd']) {
  test(`nothing stands in anybody's way, in the colours of ${slug}`, async () => {
    const page = await openPage({ slug });
    const found: string[] = [];
    const check = async () => {
      found.push(...(await barriersOf(page)));
    };
    // A later page has all of it, and more.
    const checkOnWalk = async () => {
      if (isThorough) await check();
    };
    await page.goto('/admin/sign-in');
    await checkOnWalk();
    await opens(page, () => page.getByRole('button', { name: 'Accedi' }).click());
    await page.getByRole('alert').waitFor();
    await check();
    await signIn(page);
    await checkOnWalk();
    await opens(page, () => page.getByRole('button', { name: 'Genera il codice' }).click());
    await page.getByRole('alert').waitFor();
    await check();
    await generate(page, '<img src=x onerror=alert(1)>');
    await checkOnWalk();
    await sql(`update tokens set created_at = now() - interval '1 year'`);
    await generate(page, 'Cassa');
    await check();
    await opens(page, () => page.getByRole('link', { name: /«Cassa»/ }).click());
    await check();
    await opens(page, () => page.getByRole('button', { name: 'Revoca il codice' }).click());
    await page.getByRole('status').first().waitFor();
    await check();
    assert.deepEqual(found, []);
  });
}

test('a browser that prefers English gets English', async () => {
  const page = await openPage({ locale: 'en-GB' });
  await signIn(page);
  await page.getByLabel('Name').fill('Web site');
  await page.getByLabel('Read the statistics').check();
  await page.getByRole('button', { name: 'Create the access code' }).click();
  await page.getByRole('heading', { name: 'The access code “Web site” is ready' }).waitFor();
});

/** Serves one page from a host that is not ours, until the test ends. @returns its address */
async function foreignPage(t: TestContext, body: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(body);
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://evil.localhost:${port}/`;
}

test('a page of another site can neither send a form of ours nor show us in a frame', async (t) => {
  const page = await openPage({ expected: /frame-ancestors|status of 403/ });
  await signIn(page);
  const value = await generate(page);
  const [id = ''] = value.split('|');
  const panel = `${origin('trattoria')}/admin`;
  const trap = `<form method="post" action="${panel}/api-tokens/${id}/revoke">
    <button>Win a dinner</button></form><iframe src="${panel}/sign-in"></iframe>`;
  const refused = page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await page.goto(await foreignPage(t, trap));
  await refused;
  const answered = page.waitForResponse(`${panel}/api-tokens/${id}/revoke`);
  await page.getByRole('button').click();
  assert.equal((await answered).status(), 403);
  await page.getByRole('heading', { name: 'Il modulo viene da un altro sito' }).waitFor();
  assert.equal(await apiStatus(value), 200);
});
