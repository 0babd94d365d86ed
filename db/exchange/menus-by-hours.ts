import { type Row, rowsIn } from '../schema/values/row.ts';
import type { Incoming } from './incoming.ts';
import { namedSettings, type OutMenu, type SentSection } from './out-menu.ts';
import type { Reported } from './report.ts';

// Services without hours of sections know several menus, each with hours of its own.

/** A menu that an export has made, with the keys of its sections. */
interface MenuOfHours {
  id: string;
  hours: Row[];
  sections: string[];
}

/**
 * One menu for each distinct set of hours, with the sections that have them.
 *
 * @param usual the hours of the restaurant
 * @param hoursOf those of a section; null where it has the usual ones
 */
export function menusByHours(
  { settings, sections, losses }: OutMenu,
  usual: Row[],
  hoursOf: (section: SentSection) => Row[] | null,
): MenuOfHours[] {
  const found = new Map<string, Omit<MenuOfHours, 'id'>>();
  for (const section of sections) {
    const own = hoursOf(section);
    const key = own === null ? '' : JSON.stringify(own);
    const known = found.get(key) ?? { hours: own ?? usual, sections: [] };
    known.sections.push(section.key);
    found.set(key, known);
  }
  if (!found.has('') && rowsIn(settings.opening_hours).length > 0) {
    losses.lossy(namedSettings(settings), 'opening_hours', 'noPlace');
  }
  return [...found].map(([key, menu], at) => ({
    id: `${settings.slug}.menu-${key === '' ? 0 : at + 1}`,
    ...menu,
  }));
}

interface InMenu extends Reported {
  id: string;
  sections: readonly string[];
  /** Undefined where it says nothing, or that it is always served. */
  hours: Row[] | undefined;
  /** Whether it says when it is served, be it always. */
  saysHours: boolean;
}

/**
 * The hours of each section: those of the first menu in which it stands. A menu with the usual hours,
 * and the only one of a service, has those of the restaurant. Sections come in the order of the menus;
 * menus that an export has made for their hours say no order.
 *
 * @param all the keys of all sections, in their order in the document
 */
export function hoursBySection(
  incoming: Incoming,
  menus: readonly InMenu[],
  all: readonly string[],
): Map<string, Row[] | undefined> {
  const found = new Map<string, Row[] | undefined>();
  for (const { id, name, sections, hours, saysHours } of menus) {
    const isUsual = isUsualMenu(id) || (menus.length === 1 && !isMenuOfHours(id));
    // No import changes the hours of the restaurant.
    if (isUsual && saysHours) incoming.fact(id, name, 'opening_hours');
    for (const key of sections) if (!found.has(key)) found.set(key, isUsual ? undefined : hours);
  }
  const isOurs = menus.every(({ id }) => isMenuOfHours(id));
  const keys = isOurs ? all : [...found.keys(), ...all];
  return new Map(keys.map((key) => [key, found.get(key)]));
}

/** Whether an export has made a menu for its hours. */
const isMenuOfHours = (id: string) => /\.menu-\d+$/.test(id);
const isUsualMenu = (id: string) => id.endsWith('.menu-0');

/** Tells of the name of a menu, unless an export has made it. @param field in which it stands */
export function nameMenu({ losses }: Incoming, menu: Reported, field: string) {
  const isOurs = isMenuOfHours(String(menu.id));
  if (menu.name !== '' && !isOurs) losses.lossy(menu, field, 'noPlace');
}
