// An owner who has never seen the panel puts up a menu of thirty dishes in two languages, on a phone:
// on the long walk, and of half as many in the suite.
// With SCREENSHOTS=<folder> the test also leaves a picture of each page there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { pagesOf } from '../support/pictures.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { isThorough } from '../support/thorough.ts';

/** Names in Italian and English, and prices as an owner types them. */
const WHOLE_MENU: [italian: string, english: string, dishes: [string, string, string][]][] = [
  [
    ...(['Antipasti', 'Starters'] as const),
    [
      ['Bruschetta', 'Toasted bread with tomatoes', '6'],
      ['Carciofi alla giudia', 'Fried artichokes', '8,50'],
      ['Supplì', 'Rice croquettes', '3,50'],
      ['Fiori di zucca', 'Courgette flowers', '9'],
      ['Prosciutto e melone', 'Ham and melon', '11'],
      ['Alici marinate', 'Marinated anchovies', '10'],
    ],
  ],
  [
    ...(['Primi', 'Pasta'] as const),
    [
      ['Carbonara', 'Spaghetti with egg and bacon', '12'],
      ['Gricia', 'Rigatoni with bacon and pecorino', '11,50'],
      ['Amatriciana', 'Bucatini with tomato and bacon', '12'],
      ['Cacio e pepe', 'Tonnarelli with cheese and pepper', '11'],
      ['Gnocchi al pomodoro', 'Gnocchi with tomatoes', '10,50'],
      ['Minestrone', 'Vegetable soup', '9'],
    ],
  ],
  [
    ...(['Secondi', 'Mains'] as const),
    [
      ['Saltimbocca', 'Veal with ham and sage', '16'],
      ['Abbacchio', 'Roast lamb', '19'],
      ['Coda alla vaccinara', 'Oxtail stew', '17'],
      ['Trippa', 'Tripe', '14'],
      ['Baccalà', 'Salt cod', '18'],
      ['Polpette al sugo', 'Meatballs in tomato sauce', '13'],
    ],
  ],
  [
    ...(['Contorni', 'Sides'] as const),
    [
      ['Cicoria ripassata', 'Chicory with garlic', '5'],
      ['Puntarelle', 'Chicory hearts with anchovies', '6'],
      ['Patate al forno', 'Roast potatoes', '5'],
      ['Insalata mista', 'Mixed salad', '4,50'],
      ['Fagiolini', 'Green beans', '5'],
      ['Melanzane', 'Grilled aubergines', '5,50'],
    ],
  ],
  [
    ...(['Dolci', 'Desserts'] as const),
    [
      ['Tiramisù', 'Tiramisù', '6'],
      ['Crostata', 'Jam tart', '5'],
      ['Panna cotta', 'Cooked cream', '5,50'],
      ['Maritozzo', 'Bun with whipped cream', '4'],
      ['Gelato', 'Ice cream', '4,50'],
      ['Ricotta e visciole', 'Ricotta and cherry cake', '6'],
    ],
  ],
];
/** In the suite, sections that are alike have a dish each. */
const MENU = WHOLE_MENU.map(([italian, english, dishes]): (typeof WHOLE_MENU)[number] => {
  const isWhole = isThorough || italian === 'Antipasti' || italian === 'Dolci';
  return [italian, english, isWhole ? dishes : dishes.slice(0, 1)];
});
const DISHES = MENU.flatMap(([, , dishes]) => dishes);

/** Dishes of the whole menu that the suite leaves out. */
const left = WHOLE_MENU.flatMap(([, , dishes]) => dishes).length - DISHES.length;
/** The most steps that the story may take, from the first page after sign-in on. */
const MOST = { pages: 67 - left, taps: 72 - left, fields: 101 - left * 3 };

const slugs = { script: 'con-script', plain: 'senza-script' };
const settings = { default_locale: 'it', supported_locales: ['it'] } as const;

const pages = await panelPages([
  restaurantOf(slugs.script, [], { ...settings, supported_locales: ['it'] }),
  restaurantOf(slugs.plain, [], { ...settings, supported_locales: ['it'] }),
]);

/** An owner's hands and eyes, which count what they do. */
function ownerAt(page: Page, name: string) {
  const steps = { pages: 0, taps: 0, fields: 0 };
  let pictures = 0;
  page.on('domcontentloaded', () => {
    steps.pages += 1;
  });
  /** Taps what changes the page that is shown, or opens another tab. */
  const touch = async (target: Locator) => {
    steps.taps += 1;
    await target.click();
  };
  return {
    steps,
    touch,
    /** Taps what leads to another page. */
    tap: (role: 'link' | 'button', label: string | RegExp) => {
      const exact = typeof label === 'string';
      return opens(page, () => touch(page.getByRole(role, { name: label, exact }).first()));
    },
    /** Opens a group of the navigation. */
    unfold: (group: string) => touch(page.locator('.places summary', { hasText: group })),
    type: async (group: string | null, label: string, text: string) => {
      steps.fields += 1;
      const place = group === null ? page : page.getByRole('group', { name: group, exact: true });
      await place.getByLabel(label, { exact: true }).first().fill(text);
    },
    /** Waits for the message that confirms what was done. */
    reads: (text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor(),
    looks: async () => {
      pictures += 1;
      await keepPicture(page, `${name}-${String(pictures).padStart(2, '0')}`);
    },
  };
}

// Without script every page has to come from the service: that is for the long walk.
const kinds = Object.entries(slugs).filter(([kind]) => kind === 'script' || isThorough);
for (const [kind, slug] of kinds) {
  const javaScriptEnabled = kind === 'script';
  test(`a menu of ${DISHES.length} dishes from nothing, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async (t) => {
    const page = await pages.enter(slug, '/admin', { ...narrowPhone, javaScriptEnabled });
    const { steps, touch, tap, unfold, type, reads, looks } = ownerAt(page, slug);
    const see = async () => {
      await looks();
      if (javaScriptEnabled) await checkOnPhone(page);
    };
    const publicMenu = async (language = 'it') =>
      (await pages.service.gateway.client(slug).get(`/menu?lang=${language}`)).json.data.sections;
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    await see();

    // Two languages.
    await unfold('Altro');
    await tap('link', 'Ristorante');
    await see();
    await touch(page.getByRole('checkbox', { name: 'English', exact: true }));
    await tap('button', 'Salva');
    await reads('è salvato');

    // Five sections and their dishes.
    for (const [section, english, dishes] of MENU) {
      await tap('link', 'Menù');
      if (section === 'Antipasti') await see();
      await tap('link', '+ Nuova sezione');
      await type('Nome', 'Italiano', section);
      await type('Nome', 'English', english);
      if (section === 'Antipasti') await see();
      await tap('button', 'Aggiungi al menù');
      await reads(`«${section}» è nel menù`);
      if (section === 'Antipasti') await see();
      await tap('link', '+ Nuovo piatto');
      for (const [index, [name, translated, price]] of dishes.entries()) {
        await type('Nome', 'Italiano', name);
        await type('Nome', 'English', translated);
        if (name === 'Bruschetta') {
          // Somebody who forgets the price is told so, and keeps what was typed.
          await tap('button', 'Aggiungi, poi un altro');
          await page.getByRole('alert').waitFor();
          await see();
        }
        await type(null, 'Prezzo', price);
        const isLast = index === dishes.length - 1;
        await tap('button', isLast ? 'Aggiungi al menù' : 'Aggiungi, poi un altro');
        await reads(`«${name}» è nel menù`);
        if (name === 'Bruschetta') await see();
      }
    }
    await see();
    const menu = await publicMenu();
    assert.deepEqual(names(menu), names(MENU.map(([name]) => ({ name }))));
    const dishes = menu.flatMap(({ items }: { items: object[] }) => items);
    assert.deepEqual(
      dishes.map((dish: Record<string, unknown>) => [
        dish.name,
        (dish.name_translations as Record<string, string>).en,
        String(dish.price).replace('.', ',').replace(/,5$/, ',50'),
      ]),
      DISHES,
    );

    // A price, and a dish that is sold out.
    await type(null, 'Prezzo di «Gelato»', '5');
    await tap('button', 'Salva i prezzi');
    await reads('«Gelato» ora costa 5');
    await see();
    await touch(page.locator('summary', { hasText: 'Segna esaurito' }).nth(3));
    await tap('button', 'Finché non lo dico io: Maritozzo');
    await reads('«Maritozzo» è esaurito');

    // A dish that is deleted by mistake, and brought back later.
    await tap('link', 'Tiramisù');
    await tap('button', 'Elimina');
    await reads('«Tiramisù» non è più nel menù');
    await see();
    await tap('link', /Tutte le sezioni/);
    await see();
    await tap('link', 'Eliminati');
    await see();
    await tap('button', 'Ripristina «Tiramisù»');
    await reads('«Tiramisù» è tornato al suo posto');

    // A section that is moved, deleted by mistake, and brought back at once.
    await tap('link', 'Menù');
    await tap('button', 'Sposta «Contorni» più su');
    await reads('«Contorni» è spostato');
    await tap('link', 'Contorni');
    await tap('link', 'Modifica la sezione');
    await tap('button', 'Elimina');
    await reads('«Contorni» non è più nel menù');
    assert.equal((await publicMenu()).length, 4);
    await tap('button', 'Ripristina');
    await reads('È tornato come prima');

    // Live, in both languages.
    const opened = page.context().waitForEvent('page');
    await touch(page.getByRole('link', { name: 'Guarda il menù', exact: true }).first());
    const live = await opened;
    await live.getByText('Maritozzo').first().waitFor();
    // The first part of a page may be shown before the rest has come.
    await live.waitForLoadState();
    const shown = (await publicMenu()) as { name: string; items: Record<string, unknown>[] }[];
    assert.deepEqual(names(shown), ['Antipasti', 'Primi', 'Contorni', 'Secondi', 'Dolci']);
    const last = shown.at(-1)?.items ?? [];
    assert.deepEqual(
      last.map(({ name, price, is_sold_out }) => [name, price, is_sold_out]),
      [
        ['Tiramisù', 6, false],
        ['Crostata', 5, false],
        ['Panna cotta', 5.5, false],
        ['Maritozzo', 4, true],
        ['Gelato', 5, false],
        ['Ricotta e visciole', 6, false],
      ],
    );
    assert.equal(await live.locator('.dish').count(), DISHES.length);
    await live.goto('/?lang=en');
    await live.getByText('Bun with whipped cream').first().waitFor();
    await live.close();

    // Codes for the tables, on paper.
    await unfold('Altro');
    await tap('link', 'Codice QR');
    await see();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.sheet img:visible').count(), 6);
    assert.equal(await page.locator('h1:visible, a:visible, button:visible').count(), 0);
    if (javaScriptEnabled) {
      const sheets = pagesOf(await page.pdf({ format: 'A4' }));
      assert.equal(sheets, 1, 'six cards are one sheet');
    }
    await looks();
    await page.emulateMedia({ media: 'screen' });

    for (const path of ['/admin', '/admin/appearance', '/admin/statistics', '/admin/print']) {
      await page.goto(path);
      await see();
    }
    steps.pages -= 4;
    t.diagnostic(`${kind}: ${JSON.stringify(steps)}`);
    for (const [what, most] of Object.entries(MOST)) {
      const count = steps[what as keyof typeof MOST];
      assert.ok(count <= most, `${count} ${what}; at most ${most}`);
    }
  });
}
