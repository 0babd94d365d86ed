import { type Row, rowsIn } from '../schema/values/row.ts';
import { namedSettings, type OutMenu, type SentSection } from './out-menu.ts';

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

interface InMenu {
  id: string;
  name: string;
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
 * @param tellOpening takes each menu whose hours are those of the restaurant, which no import changes
 */
export function hoursBySection(
  menus: readonly InMenu[],
  all: readonly string[],
  tellOpening: (menu: InMenu) => void,
): Map<string, Row[] | undefined> {
  const found = new Map<string, Row[] | undefined>();
  for (const menu of menus) {
    const { id, sections, hours, saysHours } = menu;
    const isUsual = isUsualMenu(id) || (menus.length === 1 && !isMenuOfHours(id));
    if (isUsual && saysHours) tellOpening(menu);
    for (const key of sections) if (!found.has(key)) found.set(key, isUsual ? undefined : hours);
  }
  const isOurs = menus.every(({ id }) => isMenuOfHours(id));
  const keys = isOurs ? all : [...found.keys(), ...all];
  return new Map(keys.map((key) => [key, found.get(key)]));
}

/** Whether an export has made a menu for its hours. */
export const isMenuOfHours = (id: string) => /\.menu-\d+$/.test(id);
const isUsualMenu = (id: string) => id.endsWith('.menu-0');
