import type { Dish } from '../../../db/schema/dish.ts';
import { mediaPathOf } from '../../../db/schema/media-origin.ts';
import { PHOTO_FORMATS, PHOTO_TYPES, type Photo } from '../../../db/schema/photo.ts';
import type { Winery } from '../../../db/schema/winery.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { groupDetails, isUndeclared } from './choices.ts';
import type { MenuReading } from './menu-view.ts';
import { translated, webAddress } from './own-text.ts';
import { ingredients, kindNames } from './stated.ts';

/** How a picture stands in the page. */
interface Shot {
  /** Attributes of the image that name it. */
  named: Html;
  alt: string;
  /** Its width in the layout, as `sizes` says it. */
  sizes: string;
  /** It is in the first view: browsers ask for it at once. */
  isFirst?: boolean;
}

/** In percent: the stylesheet has a class for each step, because the policy allows no other styles. */
const STEPS = 10;

/** The classes of a photo's focal point. */
export function focusClasses({ focus_x, focus_y }: Pick<Photo, 'focus_x' | 'focus_y'>): string {
  return `fx-${Math.round(focus_x / STEPS)} fy-${Math.round(focus_y / STEPS)}`;
}

/** An uploaded photo: the browser takes the format that it knows and the width that it needs. */
export function ownPhoto(photo: Photo, { named, alt, sizes, isFirst = false }: Shot): Html {
  const setOf = (format: (typeof PHOTO_FORMATS)[number]) =>
    photo.sources[format].map(({ width, url }) => `${mediaPathOf(url)} ${width}w`).join(', ');
  const sources = PHOTO_FORMATS.filter((format) => format !== 'jpeg').map(
    (format) =>
      html`<source type="${PHOTO_TYPES[format]}" srcset="${setOf(format)}" sizes="${sizes}">`,
  );
  const when = isFirst ? html` fetchpriority="high"` : html` loading="lazy"`;
  return html`<picture>${sources}<img ${named} src="${mediaPathOf(photo.url)}" srcset="${setOf('jpeg')}" \
sizes="${sizes}" alt="${alt}" width="${photo.width}" height="${photo.height}" decoding="async"${when} \
data-thumb="${photo.placeholder}"></picture>`;
}

/** A restaurant's picture: its own photo, or one at an address of another site. */
export function pagePicture(
  id: string,
  photo: Photo | null,
  address: string | null,
  sizes: string,
): Content {
  if (photo) {
    const named = html`id="${id}" class="${focusClasses(photo)}"`;
    return ownPhoto(photo, { named, alt: photo.alt, sizes, isFirst: true });
  }
  const source = webAddress(address);
  return source && html`<img id="${id}" src="${source}" alt="">`;
}

/** Whether a dish declares to contain no allergen. A choice that comes with it may contain some. */
export function containsNone(dish: Dish): boolean {
  const { allergens, traces, courses, modifier_groups } = dish;
  const named = allergens.length + traces.length + courses.length + modifier_groups.length;
  return named === 0 && !isUndeclared(dish);
}

function named(title: string, names: readonly string[]): Content {
  if (names.length === 0) return null;
  return html`<p><strong>${title}: </strong>${names.join(', ')}</p>`;
}

/** The names of allergens, with the cereals or nuts that a dish names in brackets. */
function allergenNames(dish: Dish, keys: readonly string[], reading: MenuReading): string[] {
  return keys.map((key) => {
    const name = reading.allergens.get(key)?.name ?? key;
    const kinds = kindNames(dish, key, reading);
    return kinds.length > 0 ? `${name} (${kinds.join(', ')})` : name;
  });
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

/** Its own photo as wide as the page; browsers load it when the dish is opened. */
function largePhoto({ photo, photo_alt: alt }: Dish): Content {
  if (!photo) return null;
  const sizes = '(min-width: 43rem) 38rem, 88vw';
  return ownPhoto(photo, { named: html`class="large"`, alt: alt || photo.alt, sizes });
}

/** The details of an opened dish: its photo, its allergens by name, and the maker of a wine. */
export function about(dish: Dish, reading: MenuReading): Content {
  const { texts, additives } = reading;
  return [
    largePhoto(dish),
    groupDetails(dish, reading),
    isUndeclared(dish) && html`<p>${texts.undeclared}</p>`,
    containsNone(dish) && html`<p>${texts.containsNone}</p>`,
    named(texts.contains, allergenNames(dish, dish.allergens, reading)),
    named(texts.mayContain, allergenNames(dish, dish.traces, reading)),
    named(
      texts.additives,
      dish.additives.map((key) => additives.get(key)?.name ?? key),
    ),
    ingredients(dish, reading),
    aboutWinery(dish.winery, reading),
  ];
}
