import type { Dish } from '../../../db/schema/dish.ts';
import type { SectionTree } from '../../../db/schema/section.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { groupLegend } from './choices.ts';
import { focusClasses, ownPhoto } from './dish-details.ts';
import type { MenuReading } from './menu-view.ts';
import { translated } from './own-text.ts';
import { servingData, servingTimes } from './serving-times.ts';

/** The first level of heading in the menu, and the last one that HTML has. */
const FIRST_LEVEL = 2;
const LAST_LEVEL = 6;

/** The reader's language, and each dish as it is written. */
interface Written extends MenuReading {
  dishes: ReadonlyMap<Dish, Html>;
}

function dishList(dishes: readonly Dish[], { dishes: written }: Written): Content {
  if (dishes.length === 0) return null;
  return html`<ul class="dishes">\n${dishes.map((dish) => written.get(dish) ?? null)}</ul>`;
}

/** The dishes without a type first, then those of each type under its name. */
function groups(section: SectionTree, reading: Written, level: number): Content {
  const { items, types, show_subcategories } = section;
  if (!show_subcategories) return dishList(items, reading);
  const known = new Set(types.map(({ id }) => id));
  const ungrouped = items.filter(({ type_id }) => type_id === null || !known.has(type_id));
  const grouped = types.map(({ id, name, name_translations }) => {
    const dishes = items.filter((dish) => dish.type_id === id);
    if (dishes.length === 0) return null;
    const frame = { tag: `h${level}`, className: 'type' };
    const heading = translated(name, name_translations, reading.locale, frame);
    return html`<div class="group" id="type-${id}">${heading}${dishList(dishes, reading)}</div>`;
  });
  return [dishList(ungrouped, reading), grouped];
}

/** The hours in which the section is served, between its name and its notes. */
function hours(section: SectionTree, { texts, locale }: MenuReading): Content {
  const times = servingTimes(section, locale, texts);
  if (times.length === 0) return null;
  const closed = html`<span class="closed-note">${texts.notNow}</span>`;
  return html`<p class="hours"><span>${times.join(', ')}</span>${closed}</p>`;
}

function notes({ notes: text, notes_translations }: SectionTree, { locale }: MenuReading): Content {
  return translated(text, notes_translations, locale, { tag: 'p', className: 'notes' });
}

/** The photo of a section, below its name. */
function photo({ photo: own }: SectionTree): Content {
  if (!own) return null;
  const named = html`class="section-photo ${focusClasses(own)}"`;
  return ownPhoto(own, { named, alt: own.alt, sizes: '(min-width: 60rem) 60rem, 100vw' });
}

/** A section with all that is below it. */
export function sectionPart(
  section: SectionTree,
  reading: Written,
  level: number = FIRST_LEVEL,
): Html {
  const below = Math.min(level + 1, LAST_LEVEL);
  const { id, name, name_translations, menu_type } = section;
  const frame = { tag: `h${level}`, attributes: html` id="title-${id}"` };
  const title = translated(name, name_translations, reading.locale, frame);
  const attributes = html`aria-labelledby="title-${id}"${servingData(section)}`;
  return html`<section id="section-${id}" class="${menu_type}" ${attributes}>
<div class="heading">${title}${hours(section, reading)}${notes(section, reading)}${photo(section)}</div>
<div class="flow">${groups(section, reading, below)}${groupLegend(section.items, reading)}${section.children.map(
    (child) => sectionPart(child, reading, below),
  )}</div>
</section>
`;
}

export function sectionLinks(tree: readonly SectionTree[], { locale, texts }: MenuReading): Html {
  const links = tree.map(({ id, name, name_translations }) => {
    const frame = { tag: 'a', attributes: html` href="#section-${id}"` };
    return html`<li>${translated(name, name_translations, locale, frame)}</li>\n`;
  });
  return html`<nav id="sections" aria-label="${texts.sections}"><ul>
${links}</ul></nav>`;
}
