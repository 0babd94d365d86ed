// Two people change one menu through the panel's pages at the same time; one has no JavaScript.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createPanelStage, type PanelStage } from '../support/panel-stage.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';

/** Random edits of both browsers together. */
const EDITS = Number(process.env.PANEL_EDITS ?? 20);
const SEED = Number(process.env.PANEL_SEED ?? 1);
const SECTIONS = ['Antipasti', 'Primi'];

let stage: PanelStage;
before(async () => {
  const dishes = (name: string) =>
    [1, 2, 3, 4].map((index) => dishOf(`${name} ${index}`, { price: 10 }));
  const menu = SECTIONS.map((name) => sectionOf(name, { dishes: dishes(name) }));
  stage = await createPanelStage([restaurantOf('trattoria', menu)], { writeTimeout: 60_000 });
});
after(() => stage.close());

const enter = (javaScriptEnabled: boolean) =>
  stage.enter('trattoria', '/admin/menu', {
    ...{ javaScriptEnabled, viewport: { width: 1200, height: 900 } },
  });

const rows = () =>
  runSql(
    stage.service.databaseUrl,
    `select d.id, d.name ->> 'it' as name, d.price, d.is_sold_out, d.category_id
     from dishes d join sections s on s.id = d.category_id
     where d.deleted_at is null and d.is_active
     order by s.display_order, s.id, d.display_order, d.id`,
  );
const shownDishes = async () => {
  const { json } = await stage.service.gateway.client('trattoria').get('/items?per_page=100');
  return json.data.map((dish: Record<string, unknown>) => ({
    ...{ id: dish.id, name: dish.name, price: dish.price },
    ...{ is_sold_out: dish.is_sold_out, category_id: dish.category_id },
  }));
};

test('a dish is dragged to another place, and moved by keyboard, each as one write', async () => {
  const page = await enter(true);
  await page.getByRole('link', { name: 'Antipasti', exact: true }).click();
  const writes = async () =>
    Number((await runSql(stage.service.databaseUrl, 'select count(*) as n from writes'))[0].n);
  const names = () => page.locator('.dishes .what a').allTextContents();
  const before = await names();
  const count = await writes();
  const grip = await page.locator('.dishes .grip').last().boundingBox();
  const first = await page.locator('.dishes .dish').first().boundingBox();
  assert.ok(grip && first);
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(first.x + 40, first.y + 4, { steps: 8 });
  await page.locator('.drop-before').waitFor();
  await page.mouse.up();
  await page.getByRole('status').filter({ hasText: 'spostato' }).waitFor();
  assert.deepEqual(await names(), [before[3], before[0], before[1], before[2]]);
  assert.equal(await writes(), count + 1);
  const button = page.getByRole('button', { name: `Sposta «${before[3]}» più giù` });
  await button.focus();
  await button.press('Enter');
  await page
    .getByRole('link', { name: `${before[0]}`, exact: true })
    .first()
    .waitFor();
  await page.getByRole('button', { name: `Sposta «${before[3]}» più su` }).waitFor();
  assert.deepEqual((await names()).slice(0, 2), [before[0], before[3]]);
  await page.context().close();
});

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Whether a dish's page has its form; that of one that the other person has deleted says so. */
async function hasForm(page: Page): Promise<boolean> {
  await page.waitForURL(/\/items\/\d+/);
  return (await page.getByRole('button', { name: 'Salva', exact: true }).count()) > 0;
}

/** One random edit; the page that answers says that it was done, or why not. */
async function editOnce(page: Page, random: () => number, label: string): Promise<string> {
  const pick = (count: number) => Math.floor(random() * count);
  const price = () => String(5 + pick(20));
  await page.goto('/admin/menu');
  await page.getByRole('link', { name: SECTIONS[pick(2)] ?? '', exact: true }).click();
  await page.locator('#chosen-title').waitFor();
  const dishes = page.locator('.dishes .dish');
  const count = await dishes.count();
  const dish = dishes.nth(pick(Math.max(1, count)));
  const kind = count === 0 ? 7 : pick(8);
  if (kind === 0) {
    await dish.locator('.price input[type=text]').fill(price());
    await page.getByRole('button', { name: 'Salva i prezzi' }).click();
  } else if (kind === 1) {
    await dish.locator('.acts > button').first().click();
  } else if (kind === 2 && count > 1) {
    await dish.locator('.moves button').first().click();
  } else if (kind === 3) {
    await dishes.first().getByRole('checkbox').check();
    await dish.getByRole('checkbox').check();
    await page.getByLabel('Prezzi in %').fill(random() < 0.5 ? '10' : '-5');
    await page.getByRole('button', { name: 'Cambia i prezzi' }).click();
  } else if (kind === 4) {
    await dish.locator('.what a').click();
    if (!(await hasForm(page))) return (await page.locator('main').innerText()).trim();
    await page.getByRole('group', { name: 'Nome' }).getByLabel('Italiano').fill(label);
    await page.getByRole('button', { name: 'Salva', exact: true }).click();
  } else if (kind === 5) {
    await dish.locator('.what a').click();
    if (!(await hasForm(page))) return (await page.locator('main').innerText()).trim();
    await page.getByRole('button', { name: 'Elimina' }).click();
  } else if (kind === 6) {
    await dish.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sposta', exact: true }).click();
  } else {
    await page.getByRole('link', { name: 'Nuovo piatto' }).click();
    await page.getByRole('group', { name: 'Nome' }).getByLabel('Italiano').fill(label);
    await page.getByLabel('Prezzo', { exact: true }).first().fill(price());
    await page.getByRole('button', { name: 'Aggiungi al menù' }).click();
  }
  // A record that the other one has deleted has a page that says so.
  const said = page.locator('.notice, .question');
  await said.first().waitFor();
  if (random() < 0.25 && (await said.getByRole('button').count()) > 0) {
    const address = page.url();
    await said.getByRole('button').click();
    await page.waitForURL((url) => url.href !== address);
    await said.first().waitFor();
  }
  return (await said.first().innerText()).trim();
}

test(`${EDITS} random edits by two browsers: tables, public menu and pages agree`, async () => {
  const people = await Promise.all([enter(true), enter(false)]);
  const answers: string[] = [];
  await Promise.all(
    people.map(async (page, person) => {
      const random = randomFrom(SEED * 1_000 + person);
      for (let edit = person; edit < EDITS; edit += 2) {
        answers.push(await editOnce(page, random, `Piatto ${edit}`));
      }
    }),
  );
  assert.equal(answers.length, EDITS);
  assert.ok(
    answers.every((text) => text !== ''),
    'each edit is confirmed, or refused with a reason',
  );
  const stored = await rows();
  assert.deepEqual(await shownDishes(), stored, `seed ${SEED}`);
  for (const page of people) {
    const listed: unknown[] = [];
    for (const name of SECTIONS) {
      await page.goto('/admin/menu');
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator('#chosen-title').waitFor();
      for (const row of await page.locator('.dishes .dish').all()) {
        const price = await row.locator('.price input[type=text]').inputValue();
        listed.push({
          name: await row.locator('.what a').innerText(),
          price: Number(price.replace(',', '.')),
          is_sold_out: (await row.locator('.tag.bad').count()) > 0,
        });
      }
    }
    assert.deepEqual(
      listed,
      stored.map(({ name, price, is_sold_out }) => ({ name, price, is_sold_out })),
    );
    await page.context().close();
  }
});
