import type { Row } from '../schema/values/row.ts';
import type { OutMenu, SentSection } from './out-menu.ts';

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
  { settings, sections }: OutMenu,
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
  return [...found].map(([key, menu], at) => ({
    id: `${settings.slug}.menu-${key === '' ? 0 : at + 1}`,
    ...menu,
  }));
}

/** A menu of a service. */
interface InMenu {
  id: string;
  /** Keys of its sections. */
  sections: readonly string[];
  /** Undefined where it says nothing, or that it is always served. */
  hours: Row[] | undefined;
}

/**
 * The hours of each section, in the order of the menus: those of the first menu in which it stands. A
 * menu with the usual hours, and the only one of a service, says nothing of them.
 */
export function hoursBySection(menus: readonly InMenu[]): Map<string, Row[] | undefined> {
  const found = new Map<string, Row[] | undefined>();
  for (const { id, sections, hours } of menus) {
    const isUsual = id.endsWith('.menu-0') || (menus.length === 1 && !/\.menu-\d+$/.test(id));
    for (const key of sections) if (!found.has(key)) found.set(key, isUsual ? undefined : hours);
  }
  return found;
}
