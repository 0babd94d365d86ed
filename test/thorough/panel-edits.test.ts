// Two people change one menu through the panel's pages at the same time; one has no JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createRandom } from '../../bench/load/random.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import { opens } from '../support/browser.ts';
import { addUser, EMAIL } from '../support/panel.ts';
import { panelPages } from '../support/panel-pages.ts';
import { type Dish, type Edit, editOnce, openSection, readEdit } from '../support/random-edits.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { often } from '../support/thorough.ts';

/** Random edits of both browsers together. */
const EDITS = Number(process.env.PANEL_EDITS ?? often(10, 20));
const SECTIONS = ['Antipasti', 'Primi'];
/** Outcomes of an operation that changed the menu. */
const CHANGED = new Set<OperationResult['outcome']>(['updated', 'deleted', 'restored']);
const OTHER = 'ada@trattoria.example';

const dishes = (name: string) =>
  [1, 2, 3, 4].map((index) => dishOf(`${name} ${index}`, { price: 10 }));
const menu = SECTIONS.map((name) => sectionOf(name, dishes(name)));
const pages = await panelPages([restaurantOf('trattoria', menu)]);
await addUser(pages.service.db, pages.service.tenantId, OTHER);

const enter = (javaScriptEnabled: boolean, email = EMAIL) => {
  const options = { javaScriptEnabled, viewport: { width: 1200, height: 900 } };
  return pages.enter('trattoria', '/admin/menu', options, email);
};

const rows = () =>
  pages.service.sql`select d.id, d.name ->> 'it' as name, d.price, d.is_sold_out, d.is_active,
       d.category_id, d.display_order
     from dishes d join sections s on s.id = d.category_id
     where d.deleted_at is null and d.is_active
     order by s.display_order, s.id, d.display_order, d.id`;
const shownDishes = async () => {
  const { json } = await pages.service.gateway.client('trattoria').get('/items?per_page=100');
  return json.data.map((dish: Record<string, unknown>) => ({
    ...{ id: dish.id, name: dish.name, price: dish.price },
    ...{ is_sold_out: dish.is_sold_out, category_id: dish.category_id },
  }));
};

test('a dish is dragged to another place, and moved by keyboard, each as one write', async () => {
  const page = await enter(true);
  // All rows are in view, so that the page need not scroll.
  await page.setViewportSize({ width: 1280, height: 1200 });
  await opens(page, () => page.getByRole('link', { name: 'Antipasti', exact: true }).click());
  const writes = async () =>
    Number((await pages.service.sql('select count(*) as n from writes'))[0].n);
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
  await opens(page, () => page.mouse.up());
  await page.getByRole('status').filter({ hasText: 'spostato' }).waitFor();
  assert.deepEqual(await names(), [before[3], before[0], before[1], before[2]]);
  assert.equal(await writes(), count + 1);
  const button = page.getByRole('button', { name: `Sposta «${before[3]}» più giù` });
  await button.focus();
  await opens(page, () => button.press('Enter'));
  await page.getByRole('button', { name: `Sposta «${before[3]}» più su` }).waitFor();
  assert.deepEqual((await names()).slice(0, 2), [before[0], before[3]]);
});

/** Writes in the order in which the worker did them, with their authors. */
const doneWrites = () =>
  pages.service.sql`
     select w.record_id, w.outcome, u.email from writes w join users u on u.id = -w.token_id
     order by w.batch, w.id`;

/** The dishes of the menu as the writes so far have left it, and those that were deleted. */
interface Replayed {
  dishes: Map<number, Dish>;
  gone: Map<number, Dish>;
}

function removeDish({ dishes, gone }: Replayed, id: number): boolean {
  const dish = dishes.get(id);
  if (dish) gone.set(id, dish);
  return dishes.delete(id);
}

/** Applies one result of a list of operations. */
function replayResult(replayed: Replayed, { id, outcome, changes }: OperationResult): void {
  const dish = id !== null && (replayed.dishes.get(id) ?? replayed.gone.get(id));
  assert.ok(dish, 'a list of operations has no new dish');
  if (outcome === 'deleted') {
    removeDish(replayed, dish.id);
    return;
  }
  const { name, ...now } = Object.fromEntries(
    Object.entries(changes).map(([field, pair]) => [field, pair[1]]),
  );
  const soldOut = 'sold_out_until' in now && { is_sold_out: now.sold_out_until !== null };
  const named = name !== undefined && { name: (name as { it: string }).it };
  replayed.dishes.set(dish.id, { ...dish, ...now, ...soldOut, ...named });
}

/** Applies what a write came to; false when it changed nothing. */
function replay(
  replayed: Replayed,
  { record_id, outcome }: Awaited<ReturnType<typeof doneWrites>>[number],
): boolean {
  switch (outcome.kind) {
    case 'deleted':
      return removeDish(replayed, record_id);
    case 'created':
    case 'changed':
    case 'restored': {
      const { record } = outcome;
      replayed.dishes.set(record.id, { ...record, name: record.name_translations.it });
      return true;
    }
    case 'bulk': {
      const results: OperationResult[] = outcome.applied ? outcome.results : [];
      const done = results.filter((one) => CHANGED.has(one.outcome));
      for (const result of done) replayResult(replayed, result);
      return done.length > 0;
    }
    default:
      return false;
  }
}

/**
 * Replays the writes that changed something. Each is one of its author's edits that a page called
 * applied, in their order, and did what that edit asked for.
 */
async function replayEdits(dishes: Map<number, Dish>, edits: Map<string, Edit[]>, since: number) {
  const open = new Map(
    [...edits].map(([email, own]) => [email, own.filter(({ said }) => said === 'applied')]),
  );
  const replayed = { dishes, gone: new Map<number, Dish>() };
  for (const write of (await doneWrites()).slice(since)) {
    if (!replay(replayed, write)) continue;
    const edit = open.get(write.email)?.shift();
    assert.ok(edit, `no page says that this was applied: ${JSON.stringify(write.outcome)}`);
    assert.ok(edit.isDone(dishes), `${edit.text}: ${JSON.stringify(write.outcome)}`);
  }
  assert.deepEqual([...open.values()].flat(), [], 'an edit is called applied and has no write');
}

/** The dishes that a page of the panel lists, section after section. */
async function listedDishes(page: Page) {
  const listed: unknown[] = [];
  for (const name of SECTIONS) {
    await openSection(page, name);
    for (const row of await page.locator('.dishes .dish').all()) {
      const price = await row.locator('.price input[type=text]').inputValue();
      listed.push({
        name: await row.locator('.what a').innerText(),
        price: Number(price.replace(',', '.')),
        is_sold_out: (await row.locator('.tag.bad').count()) > 0,
      });
    }
  }
  return listed;
}

/** Both type another price for the same dish: the one who saves last is refused. */
async function editSamePrice(people: readonly Page[]): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const page of people) await openSection(page, SECTIONS[0] ?? '');
  for (const [person, page] of people.entries()) {
    const dish = page.locator('.dishes .dish').first();
    const id = Number(await dish.getAttribute('data-id'));
    await dish.locator('.price input[type=text]').fill(String(40 + person));
    await opens(page, () => page.getByRole('button', { name: 'Salva i prezzi' }).click());
    edits.push(await readEdit(page, (dishes) => dishes.get(id)?.price === 40 + person));
  }
  return edits;
}

test(`${EDITS} random edits by two browsers: tables, public menu and pages have what was applied, and nothing that was refused`, async (t) => {
  const people = await Promise.all([enter(true), enter(false, OTHER)]);
  const dishes = new Map((await rows()).map((row) => [row.id, { ...row } as Dish]));
  const since = (await doneWrites()).length;
  const [first, second] = await editSamePrice(people);
  assert.deepEqual([first?.said, second?.said], ['applied', 'refused']);
  const edits = new Map([EMAIL, OTHER].map((email, at) => [email, [[first, second][at] as Edit]]));
  await Promise.all(
    people.map(async (page, person) => {
      const { next: random } = createRandom(seed * 1_000 + person);
      const own = edits.get(person === 0 ? EMAIL : OTHER);
      for (let edit = person; edit < EDITS; edit += 2) {
        own?.push(...(await editOnce(page, random, SECTIONS)));
      }
    }),
  );
  const all = [...edits.values()].flat();
  assert.ok(all.length >= EDITS + 2);
  assert.ok(
    all.every(({ text }) => text !== ''),
    'each edit is confirmed, or refused with a reason',
  );
  const counts = { applied: 0, unchanged: 0, refused: 0 };
  for (const { said } of all) counts[said] += 1;
  t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`);

  await replayEdits(dishes, edits, since);
  const stored = await rows();
  const order = new Map(stored.map(({ category_id }, at) => [category_id, at]));
  const place = ({ category_id }: Dish) => order.get(category_id) ?? 0;
  const applied = [...dishes.values()].sort(
    (left, right) =>
      place(left) - place(right) || left.display_order - right.display_order || left.id - right.id,
  );
  const compared = ({ id, name, price, is_sold_out, category_id }: Dish) => ({
    ...{ id, name, price, is_sold_out, category_id },
  });
  assert.deepEqual(
    stored.map((row) => compared(row as Dish)),
    applied.map(compared),
    `seed ${seed}`,
  );
  assert.deepEqual(await shownDishes(), applied.map(compared), `seed ${seed}`);
  const told = applied.map(({ name, price, is_sold_out }) => ({ name, price, is_sold_out }));
  for (const page of people) {
    assert.deepEqual(await listedDishes(page), told);
    await page.context().close();
  }
});
