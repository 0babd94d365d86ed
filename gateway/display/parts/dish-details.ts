import type { Dish } from '../../../db/schema/dish.ts';
import type { Winery } from '../../../db/schema/winery.ts';
import { type Content, html } from '../../http/html.ts';
import { groupDetails, isUndeclared } from './choices.ts';
import type { Marked, MenuReading } from './menu-view.ts';
import { translated, webAddress } from './own-text.ts';

type About = Pick<
  Dish,
  'allergens' | 'allergens_declared' | 'traces' | 'additives' | 'modifier_group_ids'
> & {
  courses: Parameters<typeof isUndeclared>[0]['courses'];
  winery: Pick<Winery, 'description' | 'website'> | null;
};

/** Whether an opened dish shows more than a closed one. */
export function hasAbout(dish: About) {
  const { allergens, traces, additives, winery, modifier_group_ids: groups } = dish;
  const hasWords = Boolean(winery?.description || winery?.website);
  const hasMarks = allergens.length + traces.length + additives.length > 0;
  return isUndeclared(dish) || hasMarks || hasWords || groups.length > 0;
}

function named(
  title: string,
  keys: readonly string[],
  dictionary: ReadonlyMap<string, Marked>,
): Content {
  if (keys.length === 0) return null;
  const names = keys.map((key) => dictionary.get(key)?.name ?? key).join(', ');
  return html`<p><strong>${title}: </strong>${names}</p>`;
}

function aboutWinery(maker: Winery | null, { locale }: MenuReading): Content {
  if (!maker) return null;
  const href = webAddress(maker.website);
  return [
    translated(maker.description, maker.description_translations, locale, { tag: 'p' }),
    href &&
      html`<p><a href="${href}" target="_blank" rel="noopener" dir="auto">${maker.name}</a></p>`,
  ];
}

/** The details of an opened dish: allergens and additives by name, and the maker of a wine. */
export function about(dish: Dish, reading: MenuReading): Content {
  const { texts, allergens, additives } = reading;
  return [
    groupDetails(dish, reading),
    isUndeclared(dish) && html`<p>${texts.undeclared}</p>`,
    named(texts.contains, dish.allergens, allergens),
    named(texts.mayContain, dish.traces, allergens),
    named(texts.additives, dish.additives, additives),
    aboutWinery(dish.winery, reading),
  ];
}
