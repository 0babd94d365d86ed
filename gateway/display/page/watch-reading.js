/** How long a section must stay where people read to count as looked at, in ms. */
const READ = 1_000;
/** By how much a section that a link leads to may miss its place, in px. */
const SLACK = 4;

/**
 * The line at which people read, in px from the top of the window: where links lead to. As the page
 * ends it moves down to the lower edge, so that it also comes to the last sections.
 */
function readingLine() {
  const root = document.documentElement;
  const top = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + SLACK;
  const way = root.scrollHeight - innerHeight;
  const last = Math.min(way, innerHeight - top);
  const left = way - scrollY;
  return left < last ? top + (1 - left / last) * (innerHeight - top) : top;
}

/**
 * Watches what people read: marks the link of the present section in `nav`, and calls `onRead` with
 * the id of each that stays a while, at the line or whole in the window.
 */
export function createReadingWatch(nav, onRead) {
  const list = nav.firstElementChild;
  const timers = new Map();
  let sections = [];
  /** The section that was asked for, until the reader moves on. */
  let chosen = location.hash.slice(1);

  const mark = (id) => {
    for (const link of nav.querySelectorAll('a')) {
      const isHere = link.hash === `#${id}`;
      if (isHere === link.hasAttribute('aria-current')) continue;
      if (isHere) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
      if (isHere)
        list.scrollTo({ left: link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
    }
  };
  const time = (id, isRead) => {
    if (isRead === timers.has(id)) return;
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (isRead) timers.set(id, setTimeout(onRead, READ, id));
  };
  const look = () => {
    const line = readingLine();
    const { bottom: free } = nav.getBoundingClientRect();
    const boxes = sections.map((section) => [section.id, section.getBoundingClientRect()]);
    for (const [id, { top, bottom, height }] of boxes) {
      const isWhole = top >= free && bottom <= innerHeight;
      time(id, height > 0 && (isWhole || (top <= line && bottom > line)));
    }
    const linked = boxes.filter(
      ([id, { height }]) => height > 0 && nav.querySelector(`[href="#${id}"]`),
    );
    const isChosen = ([id, { top }]) => id === chosen && top >= 0 && top < innerHeight;
    const present =
      linked.find(isChosen) ?? linked.filter(([, { top }]) => top <= line).pop() ?? linked[0];
    mark(present?.[0]);
  };
  // Older browsers look when the reader scrolls.
  const observer = 'ResizeObserver' in window ? new ResizeObserver(look) : null;
  addEventListener('scroll', look, { passive: true });
  nav.addEventListener('click', ({ target }) => {
    chosen = target.hash?.slice(1);
    look();
  });
  for (const sign of ['wheel', 'touchmove', 'keydown']) {
    addEventListener(sign, () => (chosen = undefined), { passive: true });
  }
  return {
    /** Watches these sections instead of those before. */
    watch(present) {
      sections = [...present];
      observer?.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      // Changes above the sections move them.
      for (const part of [...document.body.children, ...sections]) observer?.observe(part);
    },
  };
}
