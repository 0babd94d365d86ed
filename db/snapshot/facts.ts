import type { StoredDish } from '../schema/dish.ts';
import type { Embed } from '../schema/field.ts';
import { type StoredModifierGroup, timesOf } from '../schema/modifier-group.ts';

// The allergens of a dish with all that guests choose with it, for filters (`page/avoid.js`).

/**
 * Allergens, and kinds of them, that something has or may have, null when it declares none, and what is
 * chosen with it.
 */
export interface Facts {
  has: readonly string[] | null;
  choices: readonly Choice[];
}

/** A guest chooses `take` of the options at least; those that are sold out are not there. */
interface Choice {
  take: number;
  options: readonly Facts[];
}

type Courses = StoredDish['courses'];

/** Whether a set menu is nothing but dishes of the menu: then these declare their allergens for it. */
export function isSumOfDishes(
  courses: readonly { options: readonly { item_id: number | null }[] }[],
): boolean {
  return (
    courses.length > 0 &&
    courses.every(({ options }) => options.every(({ item_id }) => item_id !== null))
  );
}

function groupChoices({ modifier_group_ids: ids }: StoredDish, embed: Embed): Choice[] {
  return ids.flatMap((id) => {
    const group = embed('modifier_groups', id) as StoredModifierGroup | null;
    if (!group) return [];
    const present = group.options.filter((option) => !option.is_sold_out);
    return {
      take: group.min,
      // One that guests may choose several times may be all of them.
      options: present.flatMap(({ allergens: has, max }) =>
        Array.from({ length: Math.max(1, Math.min(timesOf({ max }), group.min)) }, () => ({
          has,
          choices: [],
        })),
      ),
    };
  });
}

/** A text is a part of the set menu, whose own declaration speaks for it. */
const TEXT: Facts = { has: [], choices: [] };

function courseChoices(courses: Courses, embed: Embed): Choice[] {
  return courses.map(({ choose, options }) => ({
    take: choose,
    options: options.flatMap(({ item_id }) => {
      if (item_id === null) return [TEXT];
      const dish = embed('items', item_id) as StoredDish | null;
      return dish === null || dish.is_sold_out ? [] : [dishFacts(dish, groupChoices(dish, embed))];
    }),
  }));
}

function dishFacts(dish: StoredDish, choices: readonly Choice[]): Facts {
  const { allergens, traces, allergen_detail, allergens_declared, courses } = dish;
  const isDeclared = allergens_declared || isSumOfDishes(courses);
  return { has: isDeclared ? [...allergens, ...traces, ...allergen_detail] : null, choices };
}

/** @param embed finds groups of options, and the dishes that guests see */
export function factsOf(dish: StoredDish, embed: Embed): Facts {
  return dishFacts(dish, [...groupChoices(dish, embed), ...courseChoices(dish.courses, embed)]);
}
