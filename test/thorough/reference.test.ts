// The API's reference for people, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { barriersOf } from '../support/barriers.ts';
import { openTab } from '../support/browser.ts';
import { displayPages, phone } from '../support/display-pages.ts';
import { often } from '../support/thorough.ts';

const pages = await displayPages([trattoria]);

test('/docs finds an endpoint and shows its example, without errors or violations', async () => {
  const { context } = await pages.open('trattoria', phone);
  // A page of its own: the menu's may still report that it has no stream.
  const page = await openTab(context);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(pages.urlOf('trattoria', 'docs'));
  const all = await page.locator('.operation').count();
  assert.ok(all > 30, `${all} operations`);
  await page.fill('#search', 'post /admin/items');
  await page.locator('output', { hasText: /found$/ }).waitFor();
  assert.ok((await page.locator('.operation:visible').count()) < all);
  const create = page.locator('.operation:visible', { hasText: 'POST /admin/items ' }).first();
  await create.locator('summary').click();
  assert.match(await create.locator('pre').first().innerText(), /"Gricia"/);
  const key = create.locator('tr', { hasText: 'external_id' }).first();
  assert.match(await key.innerText(), /1 to 128 characters, or null/);
  const name = await key.locator('code').first().boundingBox();
  assert.ok(name && name.height < 30, 'a name stays on one line');
  await page.fill('#search', '');
  const opened = `[...document.querySelectorAll('details')].filter((_, at) => at % ${often(10, 1)} === 0)`;
  await page.evaluate(`for (const one of ${opened}) one.open = true`);
  // The closed ones are alike, and take five seconds: on the long walk all are opened.
  await page.evaluate(`for (const one of document.querySelectorAll('.operation'))
    if (!one.open && !one.querySelector('[open]') && !one.closest('[open]')) one.remove()`);
  assert.deepEqual(errors, []);
  assert.deepEqual(await barriersOf(page), []);
  await context.close();
});

test('/docs is one page for all restaurants, complete without JavaScript, and has an entity tag', async () => {
  const client = pages.client('trattoria');
  const { status, headers, text } = await client.send('/docs');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  assert.match(text, /GET \/menu\/\{locale\}/);
  (await client.send('/docs', { headers: { 'If-None-Match': String(headers.etag) } })).expect(304);
  assert.equal((await client.send('/docs', { method: 'POST' })).status, 405);
  assert.equal((await pages.client('nessuno').send('/docs')).status, 404);
});
