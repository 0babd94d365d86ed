// The dishes that a screen shows: those of its sections that are served now, and its part of them.

/** A cut between two parts moves to a section's beginning that is as near as this share of a part. */
const NEAR = 0.25;

const idOf = (section) => Number(section.id.slice('section-'.length));

/** The sections that a dish stands in, the innermost first. */
function sectionsOf(dish) {
  const found = [];
  for (let one = dish.closest('section'); one; one = one.parentElement.closest('section')) {
    found.push(one);
  }
  return found;
}

/** The section of the first level that a dish stands in. */
export const topSectionOf = (dish) => sectionsOf(dish).pop();

/** The bounds of parts of a list. A section stays whole, and the parts are as equal as that allows. */
function cutsOf(dishes, parts) {
  const length = dishes.length / parts;
  const begins = [...dishes.keys()].filter(
    (index) => index > 0 && topSectionOf(dishes[index]) !== topSectionOf(dishes[index - 1]),
  );
  return Array.from({ length: parts + 1 }, (_, part) => {
    const cut = Math.round(part * length);
    if (part === 0 || part === parts) return cut;
    const near = begins.filter((begin) => Math.abs(begin - cut) <= NEAR * length);
    near.sort((one, other) => Math.abs(one - cut) - Math.abs(other - cut));
    return near[0] ?? cut;
  });
}

/** @param settings as `createSettings` has them */
export function shownDishes(menu, { section_ids, hide_sold_out, part, parts }) {
  const all = [...menu.querySelectorAll('.dish')];
  const chosen = new Set(section_ids);
  // Sections that are gone choose nothing: a screen that has no others shows the whole menu.
  const isThere = [...menu.querySelectorAll('section')].some((one) => chosen.has(idOf(one)));
  const dishes = all.filter((dish) => {
    if (dish.closest('.closed, section[hidden]')) return false;
    if (hide_sold_out && dish.classList.contains('sold-out')) return false;
    return !isThere || sectionsOf(dish).some((one) => chosen.has(idOf(one)));
  });
  const cuts = cutsOf(dishes, parts);
  return dishes.slice(cuts[part - 1], cuts[part]);
}
