/** How long a section must stay where people read to count as looked at, in ms. */
const READ = 1_000;

/**
 * Watches which sections pass the line at which people read: marks the link of the present one in
 * `nav`, and calls `onRead` with the id of each that stays a while.
 */
export function createReadingWatch(nav, onRead) {
  const list = nav.firstElementChild;
  const timers = new Map();
  const mark = () => {
    const [id] = [...timers.keys()].filter((section) => nav.querySelector(`[href="#${section}"]`));
    for (const link of nav.querySelectorAll('a')) {
      const isHere = link.hash === `#${id}`;
      if (isHere === (link.ariaCurrent === 'true')) continue;
      link.ariaCurrent = isHere ? 'true' : null;
      if (isHere)
        list.scrollTo({ left: link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(timers.get(target.id));
        timers.delete(target.id);
        if (isIntersecting) timers.set(target.id, setTimeout(onRead, READ, target.id));
      }
      mark();
    },
    { rootMargin: '-35% 0px -64% 0px' },
  );
  return {
    /** Watches these sections instead of those before. */
    watch(sections) {
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      for (const section of sections) observer.observe(section);
    },
  };
}
