import { readFileSync } from 'node:fs';
import type { DemoDocument, DemoRestaurant } from './restaurant.ts';

function readMenu(slug: string): DemoRestaurant {
  const text = readFileSync(new URL(`./menus/${slug}.json`, import.meta.url), 'utf8');
  return { slug, ...(JSON.parse(text) as DemoDocument) };
}

/** A Roman trattoria in five languages; its wines stand second, and yet come last on the menu. */
export const trattoria = readMenu('trattoria');
/** A South Tyrolean pizzeria whose first language is German. */
export const pizzeria = readMenu('pizzeria');

/**
 * Five more kinds of house: a pizzeria with sizes, a wine bar, a fish restaurant that sells by weight,
 * an ice-cream parlour, and a German inn with additives.
 */
export const houses: readonly DemoRestaurant[] = [
  'forno',
  'calice',
  'scoglio',
  'gelateria',
  'gasthaus',
].map(readMenu);

/** A café with groups of options, a trattoria with two set menus, and a wine bar with happy hours. */
export const samples: readonly DemoRestaurant[] = ['tazzina', 'fornello', 'tappo'].map(readMenu);

/** Houses in Kuwait, Poland, Kyoto and on Crete, none of them with Italian texts. */
export const abroad: readonly DemoRestaurant[] = ['bayt', 'karczma', 'yamabuki', 'avli'].map(
  readMenu,
);
