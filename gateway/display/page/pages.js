// The pages of a screen: which dishes stand on each, and in which size.
import { topSectionOf } from './shown-dishes.js';

/** The least type of the root for each px of the screen's shorter side: prices of 48 px at 1080p. */
const LEAST = 32 / 1_080;
/** How much larger or smaller it is by the setting of the screen. */
const SIZES = { small: 0.8, large: 1.3 };
/** The largest size, as a multiple of the least. */
const LARGEST = 2.4;
/** Steps in which the size of a page is looked for. */
const STEPS = 6;
/** More dishes never fit a page. */
const MOST = 64;
/** So many dishes fit a page of many menus. */
const USUAL = 6;
/** So few dishes may stand in one column where two would be too narrow for large type. */
const FEW = 6;

/**
 * Steps by which a menu takes fewer pages where a round would take too long, until it is short enough:
 * sections run on; headings and descriptions take less room; descriptions are left out.
 */
export const DENSITIES = ['loose', 'filled', 'tight', 'brief'];

const root = document.documentElement;

/** Hides all of the menu but these dishes and what they stand in. */
export function showOnly(menu, dishes) {
  const kept = new Set(dishes);
  for (const dish of dishes) {
    for (let one = dish.parentElement; one && one !== menu; one = one.parentElement) kept.add(one);
  }
  for (const one of menu.querySelectorAll('.dish, .dishes, .group, section')) {
    one.classList.toggle('off', !kept.has(one));
  }
  const tops = new Set(dishes.map(topSectionOf));
  menu.classList.toggle('shared', tops.size > 1);
  menu.classList.toggle('bare', dishes.length === 0);
  return tops;
}

/** Whether what is shown has the room that it needs. */
function isWhole(menu) {
  const box = menu.classList.contains('shared')
    ? menu
    : menu.querySelector('section:not(.off) > .flow');
  if (!box) return true;
  return (
    // A dish that is higher than a column goes on in the next one.
    [...menu.querySelectorAll('.dish:not(.off)')].every((one) => one.getClientRects().length < 2) &&
    box.scrollWidth <= box.clientWidth + 1 &&
    box.scrollHeight <= box.clientHeight + 1 &&
    menu.scrollHeight <= menu.clientHeight + 1
  );
}

/** Whether names have room for each of their words; `whole-words` is set. */
function hasWholeWords(lines) {
  return lines.every((line) => line.scrollWidth <= line.clientWidth + 1);
}

let chosen = 1;

/** Takes over the size of type that a screen has by its settings. */
export function chooseSize({ text_size }) {
  chosen = SIZES[text_size] ?? 1;
  root.classList.toggle('large-type', chosen > 1);
}

const leastSize = () => LEAST * chosen * Math.min(innerWidth, innerHeight);

function setType(size, columns) {
  root.style.fontSize = `${size}px`;
  root.classList.toggle('one-column', columns === 1);
}

/** The columns that a page may have, the first for choice. */
function columnChoices({ columns }, count) {
  if (columns !== null) return [columns];
  if (root.classList.contains('tall') || count === 1) return [1];
  return count <= FEW ? [2, 1] : [2];
}

/** The largest size in which `doesFit` holds; 0 when the least one is too large. */
function largestSize(columns, doesFit) {
  const least = leastSize();
  const fitsIn = (multiple) => {
    setType(least * multiple, columns);
    return doesFit();
  };
  if (fitsIn(LARGEST)) return least * LARGEST;
  if (!fitsIn(1)) return 0;
  let [fits, tooLarge] = [1, LARGEST];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (fits + tooLarge) / 2;
    if (fitsIn(middle)) fits = middle;
    else tooLarge = middle;
  }
  return least * fits;
}

/** Shows a page in the largest type for which it has room, and in the least one at least. */
export function showDishes(menu, dishes, settings) {
  showOnly(menu, dishes);
  const lines = [
    ...menu.querySelectorAll('section:not(.off) > .heading h2, .dish:not(.off) .line'),
  ];
  const fits = () => isWhole(menu) && hasWholeWords(lines);
  root.classList.add('whole-words');
  const sizes = columnChoices(settings, dishes.length).map((columns) => {
    return { columns, size: largestSize(columns, fits) };
  });
  root.classList.remove('whole-words');
  sizes.sort((one, other) => other.size - one.size);
  const [best] = sizes;
  setType(Math.max(best.size, leastSize()), best.columns);
}

/** The largest number below `end` that fits, which is near `guess`; 1 fits always. */
function searchNear(guess, end, doesFit) {
  let [fits, tooMany] = [1, end];
  let step = 1;
  for (let next = guess; tooMany - fits > 1; step *= 2) {
    const isBetween = fits > 1 && tooMany < end;
    const count = isBetween ? Math.floor((fits + tooMany) / 2) : next;
    if (doesFit(count)) fits = count;
    else tooMany = count;
    next = tooMany === end ? Math.min(fits + step, end - 1) : Math.max(tooMany - step, 2);
  }
  return fits;
}

/**
 * How many of the dishes from `start` on fit a page in the least type: one at least. Each number that is
 * tried costs a layout, so the search begins with `guess`.
 */
function countFitting(menu, dishes, start, settings, guess) {
  const rest = Math.min(MOST, dishes.length - start);
  const columns = settings.columns ?? (root.classList.contains('tall') ? 1 : 2);
  setType(leastSize(), columns);
  return searchNear(Math.min(guess, rest), rest + 1, (count) => {
    showOnly(menu, dishes.slice(start, start + count));
    return isWhole(menu);
  });
}

/** Where the section of the dish at `index` ends in the list. */
function endOfSection(dishes, index) {
  const top = topSectionOf(dishes[index]);
  const rest = dishes.slice(index).findIndex((dish) => topSectionOf(dish) !== top);
  return rest === -1 ? dishes.length : index + rest;
}

function startOfSection(dishes, index) {
  let start = index;
  while (start > 0 && topSectionOf(dishes[start - 1]) === topSectionOf(dishes[index])) start -= 1;
  return start;
}

/**
 * Divides the dishes into pages. Small sections share one; a section that does not fit the rest of a
 * page begins the next one, and a long one is divided evenly. From `filled` on, pages are filled.
 *
 * @param density one of `DENSITIES`, which holds from now on
 * @param enough it stops after more pages than these: each of them costs layouts
 */
export function pagesOf(menu, dishes, settings, density, enough) {
  const isDense = density !== 'loose';
  root.classList.toggle('tight', density === 'tight' || density === 'brief');
  root.classList.toggle('brief', density === 'brief');
  const pages = [];
  let count = USUAL;
  for (let start = 0; start < dishes.length && pages.length <= enough; ) {
    count = countFitting(menu, dishes, start, settings, Math.max(count, 2));
    let end = start + count;
    const isCut = !isDense && end < dishes.length && endOfSection(dishes, end - 1) > end;
    if (isCut) {
      const begin = startOfSection(dishes, end);
      if (begin > start) end = begin;
      else {
        const stop = endOfSection(dishes, start);
        const parts = Math.ceil((stop - start) / (end - start));
        end = start + Math.ceil((stop - start) / parts);
      }
    }
    pages.push(dishes.slice(start, end));
    start = end;
  }
  return pages;
}
