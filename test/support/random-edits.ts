import type { Locator, Page } from 'playwright-core';
import { opens } from './browser.ts';

/** A dish as its restaurant's tables have it. */
export interface Dish {
  id: number;
  name: string;
  price: number;
  is_sold_out: boolean;
  is_active: boolean;
  category_id: number;
  display_order: number;
}
type Dishes = ReadonlyMap<number, Dish>;

/** An edit through a page: what it asked for, and what the page said of it. */
export interface Edit {
  said: 'applied' | 'unchanged' | 'refused';
  /** The page's text. */
  text: string;
  /** Whether the menu has what was asked for, right after the write of this edit. */
  isDone(dishes: Dishes): boolean;
}
type Asked = Edit['isDone'];

/** Ticks a dish by the keyboard: on a short page the actions may cover its box. */
async function tick(row: Locator): Promise<void> {
  const box = row.getByRole('checkbox');
  if (!(await box.isChecked())) await box.press('Space');
}

/** Messages of a bad outcome that still names changed dishes. */
const IN_PART = /^Piatti cambiati: [1-9]/;
const NOTHING = /^(Non c’era niente da cambiare|Piatti cambiati: 0\.)/;

/** Waits for the page that answers, which says that an edit was done, or why not. */
export async function readEdit(page: Page, isDone: Asked): Promise<Edit> {
  const said = page.locator('.notice, .question').first();
  await said.waitFor();
  const text = (await said.innerText()).trim();
  const isGood = (await said.getAttribute('class'))?.includes('good') ?? false;
  if (NOTHING.test(text)) return { said: 'unchanged', text, isDone };
  return { said: isGood || IN_PART.test(text) ? 'applied' : 'refused', text, isDone };
}

export async function openSection(page: Page, name: string): Promise<void> {
  await page.goto('/admin/menu');
  await opens(page, () => page.getByRole('link', { name, exact: true }).click());
  await page.locator('#chosen-title').waitFor();
}

/** Opens a dish's page; false when the other person has deleted it. */
async function openDish(page: Page, id: number): Promise<boolean> {
  await opens(page, () => page.locator(`#dish-${id} .what a`).click());
  return (await page.getByRole('button', { name: 'Salva', exact: true }).count()) > 0;
}

const fillName = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Nome' }).getByLabel('Italiano').fill(name);
const press = (page: Page, name: string | RegExp) =>
  opens(page, () => page.getByRole('button', { name, exact: true }).click());
const cents = (price: number) => Math.round(price * 100);
const number = (text: string) => Number(text.replace(',', '.'));

/** The edits of a dish in the list or on its page; null when nothing was sent. */
type Act = (page: Page, id: number, pick: (count: number) => number) => Promise<Asked | null>;

const acts: Act[] = [
  async (page, id, pick) => {
    const price = 5 + pick(20);
    await page.locator(`#dish-${id} .price input[type=text]`).fill(String(price));
    await press(page, 'Salva i prezzi');
    return (dishes) => dishes.get(id)?.price === price;
  },
  async (page, id) => {
    const menu = page.locator(`#dish-${id} .spans`);
    const isSoldOut = (await menu.count()) > 0;
    if (isSoldOut) await menu.locator('summary').click();
    const name = isSoldOut ? /^Finché non lo dico io:/ : /^Di nuovo disponibile:/;
    await opens(page, () => page.locator(`#dish-${id}`).getByRole('button', { name }).click());
    return (dishes) => dishes.get(id)?.is_sold_out === isSoldOut;
  },
  async (page, id) => {
    const button = page.locator(`#dish-${id} .moves button`).first();
    if ((await button.count()) === 0) return null;
    await opens(page, () => button.click());
    // Its neighbour may be another dish by then: the test compares the whole order at the end.
    return (dishes) => dishes.has(id);
  },
  async (page, id, pick) => {
    const percent = pick(2) === 0 ? 10 : -5;
    const price = number(await page.locator(`#dish-${id} .price input[type=text]`).inputValue());
    await tick(page.locator('.dishes .dish').first());
    await tick(page.locator(`#dish-${id}`));
    await page.locator('.many input[name=percent]').fill(String(percent));
    await press(page, 'Cambia i prezzi');
    await press(page, /^Cambia (un prezzo|\d+ prezzi)$/);
    const wanted = Math.round(price * (100 + percent));
    // Where the other person has deleted this dish, the list says that only the first was changed.
    return (dishes) => !dishes.has(id) || cents(dishes.get(id)?.price ?? 0) === wanted;
  },
  async (page, id, pick) => {
    const name = `Nuovo nome ${pick(1_000_000)}`;
    if (!(await openDish(page, id))) return null;
    await fillName(page, name);
    await press(page, 'Salva');
    return (dishes) => dishes.get(id)?.name === name;
  },
  async (page, id) => {
    if (!(await openDish(page, id))) return null;
    await press(page, 'Elimina');
    return (dishes) => !dishes.has(id);
  },
  async (page, id) => {
    await tick(page.locator(`#dish-${id}`));
    const [section] = (
      await page.locator('.many select[name=section]').selectOption({ index: 1 })
    ).map(Number);
    await press(page, 'Sposta');
    return (dishes) => dishes.get(id)?.category_id === section;
  },
];

async function create(page: Page, pick: (count: number) => number): Promise<Asked> {
  const [name, price] = [`Piatto ${pick(1_000_000)}`, 5 + pick(20)];
  await opens(page, () => page.getByRole('link', { name: 'Nuovo piatto' }).click());
  await fillName(page, name);
  await page.getByLabel('Prezzo', { exact: true }).first().fill(String(price));
  await press(page, 'Aggiungi al menù');
  return (dishes) => [...dishes.values()].some((one) => one.name === name && one.price === price);
}

/** One random edit in one of the sections, and sometimes its undo. */
export async function editOnce(
  page: Page,
  random: () => number,
  sections: readonly string[],
): Promise<Edit[]> {
  const pick = (count: number) => Math.floor(random() * count);
  await openSection(page, sections[pick(sections.length)] ?? '');
  const dishes = page.locator('.dishes .dish');
  const count = await dishes.count();
  const kind = count === 0 ? acts.length : pick(acts.length + 1);
  const id = count === 0 ? 0 : Number(await dishes.nth(pick(count)).getAttribute('data-id'));
  const asked = await (acts[kind]?.(page, id, pick) ?? create(page, pick));
  if (!asked) {
    const text = (await page.locator('main').innerText()).trim();
    return [{ said: 'refused', text, isDone: () => false }];
  }
  const edit = await readEdit(page, asked);
  const button = page.locator('.notice').getByRole('button');
  if (random() >= 0.25 || (await button.count()) === 0) return [edit];
  await opens(page, () => button.click());
  return [edit, await readEdit(page, () => true)];
}
