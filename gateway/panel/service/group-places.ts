import { groupBy } from '../../../db/runtime/group-by.ts';
import type { ServedDish, ServedGroup } from '../../../db/sql/dishes.ts';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import { nameIn } from '../texts/choose.ts';

/** Names that a place lists. */
const MAX_NAMES = 3;

function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.length > MAX_NAMES ? `${all.slice(0, MAX_NAMES).join(', ')} …` : all.join(', ');
}

/**
 * Where the groups of one name belong, by their ids: the sections of their dishes, else the dishes. A
 * group that has its name alone is left out.
 */
export function placesOfGroups(
  groups: readonly ServedGroup[],
  dishes: readonly ServedDish[],
  language: PanelLanguage,
): Map<number, string> {
  const called = groupBy(groups, ({ name }) => nameIn(name, language).trim().toLowerCase());
  const alike = [...called.values()].filter(({ length }) => length > 1);
  const entries = alike.flatMap((some) => {
    const placed = some.map(({ id }) => {
      const own = dishes.filter((dish) => dish.modifier_group_ids.includes(id));
      const sections = listed(own.map((dish) => nameIn(dish.section_name, language)));
      return { id, sections, names: listed(own.map(({ name }) => nameIn(name, language))) };
    });
    const bySections = groupBy(placed, ({ sections }) => sections);
    return placed.map(({ id, sections, names }): [number, string] => [
      id,
      bySections.get(sections)?.length === 1 ? sections : names,
    ]);
  });
  return new Map(entries);
}
