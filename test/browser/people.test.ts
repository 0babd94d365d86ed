// People with their devices: passkeys in Chromium's virtual authenticator, and a tablet in the kitchen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { createUser } from '../../db/sql/users.ts';
import { holdRequests, opens, waitForPage } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { EMAIL, passwordHash } from '../support/panel.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { until } from '../support/until.ts';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const WAITER = 'sala@trattoria.example';

const pages = await panelPages([trattoria, pizzeria]);

const { db, tenantId } = pages.service;
await createUser(db, { tenantId, email: WAITER, passwordHash, role: 'service', name: 'Sala' });

/** Gives the page's browser a device that makes passkeys, and confirms each of them at once. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function addPasskey(page: Page): Promise<void> {
  await page.locator('#passkey_name').fill('Telefono di Iole');
  await page.getByRole('button', { name: 'Aggiungi una passkey' }).click();
  await page.waitForURL(/done=passkey/);
}

/** The forms in which credentials are sent to a path. */
function recordForms(page: Page, path: string): string[] {
  const forms: string[] = [];
  page.on('request', (request: Request) => {
    const body = request.postData() ?? '';
    if (request.url().endsWith(path) && body.includes('credential=')) forms.push(body);
  });
  return forms;
}

test('somebody adds a passkey, signs in with it, and deletes it', async () => {
  const page = await pages.enter('trattoria', '/admin/account');
  await addAuthenticator(page);
  await addPasskey(page);
  await page.getByText('Telefono di Iole').waitFor();
  await page.locator('.account button').click();
  await page.waitForURL(/sign-in/);
  const sent = recordForms(page, '/admin/sign-in/passkey');
  await page.getByRole('link', { name: 'Entra con una passkey' }).click();
  await page.getByRole('button', { name: 'Entra con una passkey' }).click();
  await page.waitForURL((url) => url.pathname === '/admin');
  assert.ok((await page.locator('.account .who').innerText()).includes(EMAIL));

  // A signature opens nothing a second time, in this browser or another one.
  const origin = new URL(page.url()).origin;
  await page.locator('.account button').click();
  await page.waitForURL(/sign-in/);
  await page.goto('/admin/sign-in/passkey');
  const token = await page.locator('form[data-passkey] input[name="form_token"]').inputValue();
  const [first = ''] = sent;
  const again = new URLSearchParams(first);
  again.set('form_token', token);
  const replayed = await page.evaluate(async (body) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return (await fetch('/admin/sign-in/passkey', { method: 'POST', headers, body })).status;
  }, again.toString());
  assert.equal(replayed, 403);
  await page.goto(`${origin}/admin/account`);
  assert.match(page.url(), /sign-in/);

  // A passkey is of its restaurant: the browser has none for another host.
  await page.goto(origin.replace('trattoria', 'pizzeria').concat('/admin/sign-in/passkey'));
  await page.getByRole('button', { name: 'Entra con una passkey' }).click();
  await page.getByRole('alert').waitFor();
  await page.goto(`${origin}/admin/sign-in/passkey`);
  await page.getByRole('button', { name: 'Entra con una passkey' }).click();
  await page.waitForURL((url) => url.pathname === '/admin');
  await page.goto(`${origin}/admin/account`);
  await page.getByRole('button', { name: 'Elimina: Telefono di Iole' }).click();
  await page.waitForURL(/done=deleted/);
  assert.equal(await page.getByText('Telefono di Iole').count(), 0);
});

test('a passkey that was made for one restaurant is refused at another', async () => {
  const page = await pages.enter('trattoria', '/admin/account');
  await addAuthenticator(page);
  const made = recordForms(page, '/admin/account/passkeys');
  await addPasskey(page);
  const other = await pages.enter('pizzeria', '/admin/account');
  const token = await other.locator('form[data-passkey] input[name="form_token"]').inputValue();
  const body = new URLSearchParams(made[0]);
  body.set('form_token', token);
  const status = await other.evaluate(async (form) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const options = { method: 'POST', headers };
    const begin = new URLSearchParams(form);
    begin.delete('credential');
    await fetch('/admin/account/passkeys', { ...options, body: begin });
    return (await fetch('/admin/account/passkeys', { ...options, body: form })).status;
  }, body.toString());
  assert.equal(status, 403);
});

test('somebody in the kitchen says by one tap what is sold out, and sees what others do', async () => {
  const tablet = await pages.enter('trattoria', '/admin/service', TABLET, WAITER);
  const colleague = await pages.enter('trattoria', '/admin/service', TABLET, WAITER);
  const first = tablet.locator('.service li').first();
  const name = await first.locator('.name').innerText();
  const size = await first.locator('button').first().boundingBox();
  assert.ok((size?.height ?? 0) >= 44 && (size?.width ?? 0) >= 44);
  await first.getByRole('button', { name: 'Oggi' }).tap();
  await tablet.locator('.service .out a').first().waitFor();
  // It stays where it is.
  assert.ok((await first.locator('.name').innerText()).startsWith(name));
  // It appears on the other tablet, which had no touch.
  const others = colleague.locator('.service .out');
  await until('the other tablet does not show it', async () =>
    (await others.innerText().catch(() => '')).includes(name),
  );
  await colleague.locator('.service .gone button').first().tap();
  await until('the first tablet still shows it', async () => {
    return (await tablet.locator('.service .out').count()) === 0;
  });
  await tablet.locator('#q').fill('zzz');
  await tablet.locator('.service .no-dish').waitFor();
  await tablet.locator('#q').fill(name.slice(0, 5));
  await first.locator('.name').waitFor();
  await tablet.locator('.find button').tap();
  await tablet.waitForURL(/q=/);
  assert.ok((await tablet.locator('.service').innerText()).includes(name));
});

test('a tablet whose stream comes late sees what others did before', async () => {
  const alone = { ...TABLET, serviceWorkers: 'block' } as const;
  const tablet = await pages.enter('trattoria', '/admin/account', alone, WAITER);
  const release = await holdRequests(tablet, '**/display/stream');
  await tablet.goto('/admin/service');
  const colleague = await pages.enter('trattoria', '/admin/service', TABLET, WAITER);
  await colleague.locator('.service li button').first().tap();
  const gone = colleague.locator('.service .out a').first();
  await gone.waitFor();
  release();
  await tablet.locator('.service .out', { hasText: await gone.innerText() }).waitFor();
});

test('a dish stays where it was tapped', async () => {
  const page = await pages.enter('trattoria', '/admin/service', narrowPhone, WAITER);
  const item = page.locator('.service li').nth(50);
  await item.scrollIntoViewIfNeeded();
  const placeOf = async () => Math.round((await item.boundingBox())?.y ?? 0);
  const place = await placeOf();
  await opens(page, () => item.getByRole('button', { name: 'Oggi' }).click());
  await waitForPage(page);
  assert.match((await item.getAttribute('class')) ?? '', /gone/);
  assert.equal(await placeOf(), place);
});

test('the page of service shows 109 dishes in 6,000 pixels of a phone', async (t) => {
  const page = await pages.enter('trattoria', '/admin/service', narrowPhone, WAITER);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const dishes = await page.locator('.service li').count();
  t.diagnostic(`${dishes} dishes in ${height} px`);
  // A row of one line has 46.
  assert.ok(height + (109 - dishes) * 46 <= 6_000, `${dishes} dishes take ${height} px`);
});

test('pages of people fit a phone', async () => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true };
  const page = await pages.enter('trattoria', '/admin/people', phone);
  for (const path of ['/admin/people', '/admin/account', '/admin/service']) {
    if (!page.url().endsWith(path)) await page.goto(path);
    await checkOnPhone(page, false);
  }
});
