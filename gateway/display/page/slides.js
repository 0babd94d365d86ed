import { el } from './element.js';
import { recall, remember } from './memory.js';
import { chooseSize, DENSITIES, pagesOf, showDishes, showOnly } from './pages.js';
import { shownDishes, topSectionOf } from './shown-dishes.js';
import { isClosed } from './wall.js';

/** How long a page stands: a while to look up, and some for each dish, in ms. */
const LOOK_UP = 4_000;
const PER_DISH = 1_100;
const LONGEST = 24_000;
/** A round takes so long at most, but for pages that would stand too short a time to be read, in ms. */
const ROUND = 90_000;
const SHORTEST = 4_000;
/** So many pages of the shortest time fit a round. */
const MOST_PAGES = Math.floor(ROUND / SHORTEST);
/** How long the button stays after the screen was touched, in ms. */
const OFFERED = 8_000;
/** How long the first page waits for its font, in ms. */
const FONT_WAIT = 1_500;
/** Pause after the last sign that the window changes its size, in ms. */
const SETTLED = 200;

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Shows a button for a while to fingers, which cannot hover. */
export function offerToFingers(button) {
  let timer;
  addEventListener('pointerdown', () => {
    button.classList.add('offered');
    clearTimeout(timer);
    timer = setTimeout(() => button.classList.remove('offered'), OFFERED);
  });
}

/** Which of the pages of its section a page is, as `2/3`; empty for one that stands for itself. */
function numberOf(pages, index) {
  const top = topSectionOf(pages[index][0]);
  const own = pages.filter((page) => page.every((dish) => topSectionOf(dish) === top));
  const place = own.indexOf(pages[index]);
  return place >= 0 && own.length > 1 ? `${place + 1}/${own.length}` : '';
}

/**
 * The page at which a screen goes on after it was loaded again: the one that it showed, or the next one
 * when that has stood for most of its time. A player that loads it again and again gets round, too.
 */
function resumedPage(pages, timeOf) {
  const former = recall('place');
  if (!former) return 0;
  const index = pages.findIndex((page) => page.some(({ id }) => id === former.dish));
  if (index === -1) return 0;
  const hasStood = Math.abs(Date.now() - former.since) >= timeOf(pages[index]) / 2;
  return hasStood ? (index + 1) % pages.length : index;
}

/** The bar that fills while a page stands. */
function createProgress() {
  const bar = el('i', {});
  const frame = el('div', { id: 'progress' }, bar);
  frame.setAttribute('aria-hidden', 'true');
  document.body.append(frame);
  let running;
  return {
    stop: () => running?.cancel(),
    run: (time) => {
      running?.cancel();
      if (isStill() || !bar.animate) return;
      running = bar.animate([{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], time);
    },
  };
}

/**
 * The pages of a screen, one of them shown.
 *
 * @param settings returns those of the screen
 */
function createPager(menu, settings) {
  let pages = [];
  let index = 0;
  let isResumed = false;

  const usualTime = (page) => Math.min(LOOK_UP + page.length * PER_DISH, LONGEST);
  /** How much of its usual time each page has, so that a round does not take too long. */
  const shareOf = (all) => {
    let times = all.map(usualTime);
    let left = ROUND;
    for (;;) {
      const share = left / times.reduce((sum, time) => sum + time, 0);
      const longer = times.filter((time) => time * share > SHORTEST);
      if (longer.length === times.length || longer.length === 0) return share;
      // Those that can be no shorter have their time; the others share the rest.
      left -= SHORTEST * (times.length - longer.length);
      times = longer;
    }
  };
  const timeOf = (page) => {
    const { page_seconds } = settings();
    if (page_seconds !== null) return page_seconds * 1_000;
    return Math.max(SHORTEST, usualTime(page) * Math.min(1, shareOf(pages)));
  };
  const divide = () => {
    chooseSize(settings());
    const dishes = wanted();
    const last = DENSITIES[settings().page_seconds === null ? DENSITIES.length - 1 : 0];
    for (const density of DENSITIES) {
      if (density === last) break;
      const divided = pagesOf(menu, dishes, settings(), density, MOST_PAGES);
      const isShort = density === 'loose' ? shareOf(divided) >= 1 : divided.length <= MOST_PAGES;
      if (isShort) return divided;
    }
    return pagesOf(menu, dishes, settings(), last, Infinity);
  };
  const wanted = () => (isClosed() ? [] : shownDishes(menu, settings()));
  const show = (next) => {
    index = next;
    const page = pages[index];
    showDishes(menu, page, settings());
    for (const section of menu.children) section.removeAttribute('data-page');
    const number = numberOf(pages, index);
    if (number) topSectionOf(page[0]).dataset.page = number;
    if (!isStill() && menu.animate) menu.animate([{ opacity: 0 }, { opacity: 1 }], 500);
    remember('place', { dish: page[0].id, since: Date.now() });
  };
  return {
    show,
    count: () => pages.length,
    index: () => index,
    /** For how long the page stands, in ms. */
    time: () => timeOf(pages[index]),
    /** Whether other dishes are to be shown than those that are: the time has passed. */
    isStale: () => {
      const present = [].concat(...pages);
      const next = wanted();
      return next.length !== present.length || next.some((dish, at) => dish !== present[at]);
    },
    /** Takes over what is in the page, but divides it into no pages yet. */
    prepare: () => void showOnly(menu, wanted()),
    /** Takes over what is in the page, and shows the page that has the same first dish. */
    take: () => {
      const former = pages[index]?.[0].id;
      pages = divide();
      if (pages.length === 0) {
        showOnly(menu, []);
        return;
      }
      const same = pages.findIndex((page) => page.some(({ id }) => id === former));
      const next = isResumed ? Math.max(0, same) : resumedPage(pages, timeOf);
      isResumed = true;
      show(next);
    },
  };
}

/** Calls `act` when the theme's font is here, or after a while, once. */
function whenFontIsHere(act) {
  let isDone = false;
  const once = () => {
    if (!isDone) act();
    isDone = true;
  };
  if (document.fonts) document.fonts.ready.then(once);
  setTimeout(once, document.fonts ? FONT_WAIT : 0);
}

/** Calls `act` when the window has changed its size. */
function whenResized(act) {
  let settling;
  addEventListener('resize', () => {
    clearTimeout(settling);
    settling = setTimeout(act, SETTLED);
  });
}

/**
 * Shows the menu on a wall, page by page. Space or the button pauses, the arrow keys turn the pages.
 *
 * @param settings returns those of the screen
 * @param onRound called when the last page has stood; true when what follows is on its way
 */
export function startSlides(menu, settings, onRound) {
  const progress = createProgress();
  const pager = createPager(menu, settings);
  const button = el('button', { type: 'button', id: 'pause' });
  document.body.append(button);
  let timer;
  let paused = false;
  let isFontHere = false;
  let texts;

  const wait = () => {
    clearTimeout(timer);
    progress.stop();
    if (paused || pager.count() === 0) return;
    const time = pager.time();
    progress.run(time);
    timer = setTimeout(turn, time, 1);
  };
  const turn = (step) => {
    const count = pager.count();
    if (count === 0) return;
    const next = pager.index() + step;
    if (next !== count || onRound() !== true) pager.show((next + count) % count);
    wait();
  };
  const take = () => {
    button.textContent = paused ? texts.resume : texts.pause;
    // The font of the first pages may be narrower or wider than the one in its place.
    if (isFontHere) pager.take();
    else pager.prepare();
    wait();
  };
  const pause = () => {
    paused = !paused;
    button.classList.toggle('paused', paused);
    button.textContent = paused ? texts.resume : texts.pause;
    wait();
  };

  button.addEventListener('click', pause);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') turn(1);
    else if (event.key === 'ArrowLeft') turn(-1);
    else if (event.key === ' ' && event.target !== button) pause();
    else return;
    event.preventDefault();
  });
  offerToFingers(button);
  whenResized(take);
  // The first page waits for its font, but not for long.
  whenFontIsHere(() => {
    isFontHere = true;
    take();
    document.documentElement.dataset.laidOut = '';
  });

  return {
    isStale: pager.isStale,
    /** Takes over a menu whose elements are in the page, or are open or closed now. */
    take(newTexts) {
      texts = newTexts;
      take();
    },
    /** Begins with the first page: the menu is in another language now. */
    restart() {
      if (pager.count() > 0) pager.show(0);
      wait();
    },
  };
}
