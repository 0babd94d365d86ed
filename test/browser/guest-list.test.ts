// A guest keeps a list of dishes on the phone and shows it to the waiter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samples } from '../../db/operator/demo/restaurant.ts';
import { barriersOf } from '../support/barriers.ts';
import { dish, displayPages } from '../support/display-pages.ts';
import { until } from '../support/until.ts';

const narrow = { viewport: { width: 360, height: 740 } };
const pages = await displayPages([...samples]);

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

/** Opens the menu in English, and the dish to which extras can be added. */
async function openCappuccino() {
  const { page } = await pages.open('tazzina', { ...narrow, locale: 'en', query: '?lang=en' });
  const cappuccino = dish(page, 'Cappuccino');
  await cappuccino.locator('summary').click();
  const list = page.getByRole('dialog', { name: 'My list' });
  const usual = await cappuccino.locator('.line > .price').getAttribute('data-amount');
  return { page, form: cappuccino.locator('.to-list'), list, usual: Number(usual) };
}

const setSoldOut = (id: string | undefined, until: string) =>
  pages.change(
    'tazzina',
    `update dishes set sold_out_until = ${until} where tenant_id = $1 and id = ${id}`,
  );

test('a guest’s list holds a dish with its number and extras, in the house’s language, at the price of now', async () => {
  await pages.change(
    'tazzina',
    `update dishes set code = '17' where tenant_id = $1 and name ->> 'it' = 'Cappuccino'`,
  );
  const { page, form, list, usual } = await openCappuccino();
  const extra = form.locator('label', { hasText: '+€0.50' }).first();
  await extra.locator('input').check();
  await form.getByLabel('How many').fill('2');
  await form.getByRole('button', { name: '+ My list' }).click();
  await page.getByRole('button', { name: 'My list (2)' }).click();
  const line = list.locator('.list-line');
  await until('the house’s name is not there', async () =>
    (await list.locator('.list-more').innerText()).includes('avena'),
  );
  const sum = (2 * (usual + 0.5)).toFixed(2);
  assert.match(plain(await line.innerText()), new RegExp(`2 ×.*17.*Cappuccino.*€${sum}`, 's'));
  assert.match(plain(await list.locator('.list-total').innerText()), new RegExp(`Total: €${sum}`));
  await list.getByRole('button', { name: 'Show the waiter' }).click();
  const size = await page.evaluate<number>(
    `Number.parseFloat(getComputedStyle(document.querySelector('.list-line')).fontSize)`,
  );
  assert.ok(size >= 26, `${size} px`);
  assert.deepEqual(await barriersOf(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'My list (2)' }).waitFor();
});

test('a guest’s list counts an option that is taken several times, each time with its price', async () => {
  await pages.change(
    'tazzina',
    `update modifier_groups set options = jsonb_set(options, '{0,max}', '3'), max = 5
     where tenant_id = $1`,
  );
  const { page, form, list, usual } = await openCappuccino();
  const many = form.locator('label', { hasText: '×' }).first();
  const label = (await many.innerText()).trim();
  const [, price = '0'] = /\+€([\d.]+)/.exec(label) ?? [];
  await many.locator('input').fill('2');
  await form.getByRole('button', { name: '+ My list' }).click();
  await page.getByRole('button', { name: 'My list (1)' }).click();
  await until('the second option is not counted', async () =>
    /2 × /.test(await list.locator('.list-more').innerText()),
  );
  const sum = (usual + 2 * Number(price)).toFixed(2);
  assert.match(plain(await list.locator('.list-total').innerText()), new RegExp(`Total: €${sum}`));
});

test('a guest’s list marks what has sold out since, and leaves it out of the sum; its dish offers it no more', async () => {
  const { page } = await pages.open('tazzina', { ...narrow, query: '?lang=it' });
  const cappuccino = dish(page, 'Cappuccino');
  await cappuccino.locator('summary').click();
  await cappuccino.getByRole('button', { name: '+ La mia lista' }).click();
  const id = (await cappuccino.getAttribute('id'))?.slice('dish-'.length);
  await setSoldOut(id, "'infinity'");
  await page.clock.fastForward('00:15');
  await page.locator(`#dish-${id}.sold-out .more`).waitFor();
  assert.equal(await cappuccino.locator('.to-list').count(), 0);
  await page.getByRole('button', { name: 'La mia lista (1)' }).click();
  assert.equal(await page.locator('.list-state').innerText(), 'Esaurito');
  assert.match(plain(await page.locator('.list-total').innerText()), /Totale: 0,00 €/);
  await page.getByRole('button', { name: /uno in meno/ }).click();
  await page.getByRole('button', { name: 'Chiudi' }).click();
  assert.equal(await page.locator('#list-open').isVisible(), false);
  await setSoldOut(id, 'null');
  await page.clock.fastForward('00:15');
  await cappuccino.locator('.to-list').waitFor();
});

test('without script there is no list, and the menu is as ever', async () => {
  const { page } = await pages.open('tazzina', { ...narrow, javaScriptEnabled: false });
  await dish(page, 'Cappuccino').locator('summary').click();
  assert.equal(await page.locator('.to-list, #list-open').count(), 0);
});
