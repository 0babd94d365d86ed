import { el } from './element.js';

/** How long a page stands: a while to look up, and some for each dish, in ms. */
const LOOK_UP = 4_000;
const PER_DISH = 1_100;
const LONGEST = 24_000;
/** How long the button stays after the screen was touched, in ms. */
const OFFERED = 8_000;

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const flowOf = (slide) => slide.querySelector(':scope > .flow');
const stride = (flow) => flow.clientWidth + Number.parseFloat(getComputedStyle(flow).columnGap);
/** Columns that do not fit stand to the right: so many pages are there. */
const pages = (flow) => Math.max(1, Math.ceil((flow.scrollWidth - 2) / stride(flow)));

function countInView(flow) {
  const { left, right } = flow.getBoundingClientRect();
  const isInView = (dish) => {
    const box = dish.getBoundingClientRect();
    return box.left < right && box.right > left;
  };
  return [...flow.querySelectorAll('.dish')].filter(isInView).length;
}

const isServed = (dish) => !dish.closest('.closed');
/** The sections that serve something now. */
const slidesOf = (menu) =>
  [...menu.querySelectorAll(':scope > section')].filter((slide) =>
    [...slide.querySelectorAll('.dish')].some(isServed),
  );

function hideAllBut(slide, menu) {
  for (const other of menu.children) other.classList.toggle('off', other !== slide);
}

/** Shows a button for a while to fingers, which cannot hover. */
function offerToFingers(button) {
  let timer;
  addEventListener('pointerdown', () => {
    button.classList.add('offered');
    clearTimeout(timer);
    timer = setTimeout(() => button.classList.remove('offered'), OFFERED);
  });
}

/**
 * Shows the menu on a wall, section by section and, where one does not fit, page by page. Space or
 * the button pauses, the arrow keys turn the pages.
 */
export function startSlides(menu) {
  const bar = el('i', {});
  const button = el('button', { type: 'button', id: 'pause' });
  document.body.append(el('div', { id: 'progress', ariaHidden: 'true' }, bar), button);
  let current;
  let page = 0;
  let timer;
  let running;
  let paused = false;
  let texts;

  const wait = (flow) => {
    const time = Math.min(LOOK_UP + countInView(flow) * PER_DISH, LONGEST);
    clearTimeout(timer);
    running?.cancel();
    if (paused) return;
    if (!isStill()) running = bar.animate({ scale: ['0 1', '1 1'] }, time);
    timer = setTimeout(() => turn(1), time);
  };
  const show = (slide, wanted) => {
    hideAllBut(slide, menu);
    const flow = flowOf(slide);
    const count = pages(flow);
    page = Math.min(wanted < 0 ? count - 1 : wanted, count - 1);
    // From right to left, columns stand at negative places.
    const way = document.documentElement.dir === 'rtl' ? -1 : 1;
    flow.scrollLeft = way * page * stride(flow);
    slide.dataset.page = count > 1 ? `${page + 1}/${count}` : '';
    if (!isStill()) flow.animate({ opacity: [0, 1], translate: ['0 .6rem', '0 0'] }, 500);
    current = slide.id;
    wait(flow);
  };
  const turn = (step) => {
    const all = slidesOf(menu);
    if (all.length === 0) return;
    const index = all.findIndex(({ id }) => id === current);
    const flow = index >= 0 && flowOf(all[index]);
    const next = page + step;
    if (flow && next >= 0 && next < pages(flow)) return show(all[index], next);
    show(all[(index + step + all.length) % all.length], step < 0 ? -1 : 0);
  };
  const pause = () => {
    paused = !paused;
    button.classList.toggle('paused', paused);
    button.textContent = paused ? texts.resume : texts.pause;
    const slide = document.getElementById(current);
    if (slide) wait(flowOf(slide));
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
  addEventListener('resize', () => turn(0));

  return {
    /** Takes over a menu whose elements are in the page, or are open or closed now. */
    take(newTexts) {
      texts = newTexts;
      button.textContent = paused ? texts.resume : texts.pause;
      const all = slidesOf(menu);
      const slide = all.find(({ id }) => id === current) ?? all[0];
      if (slide) return show(slide, slide.id === current ? page : 0);
      // The next call shows the sections that are served then.
      hideAllBut(null, menu);
      clearTimeout(timer);
      running?.cancel();
    },
  };
}
