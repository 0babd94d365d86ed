// A restaurant's menu as a page. It reads the public API, as any other display can.
import { el } from './element.js';
import { createTracker } from './events.js';
import { followMenu } from './feed.js';
import { createFinder } from './finder.js';
import { createDresser, fillFrame } from './frame.js';
import { recall, remember } from './memory.js';
import { keepForOutages } from './offline.js';
import { createRenderer, isOpen, nest } from './sections.js';
import { startSlides } from './slides.js';
import { texts as allTexts } from './texts.js';
import { createReadingWatch } from './watch-reading.js';
import { offerWayOut } from './way-out.js';

/** Pauses between two questions for the menu, in ms; guests on one Wi-Fi share one limit. */
const EVERY = { screen: 11_000, guest: 60_000 };
const HOURS_EVERY = 20_000;

const root = document.documentElement;
const menu = document.getElementById('menu');
const { locales, layout } = root.dataset;
const parameters = new URLSearchParams(location.search);

/** A wall has nobody who scrolls or types. */
const isWall = parameters.get('screen') === '1';
const isWide = parameters.get('screen') !== '0' && layout === 'slides' && innerWidth >= 1_600;
const isScreen = isWall || isWide;

// A screen is no guest, and what it shows says nothing about anybody.
const track = isScreen ? () => {} : createTracker();
const seen = new Set();
const trackOnce = (type, field, id) => {
  if (seen.has(type + id)) return;
  seen.add(type + id);
  track(type, { [field]: Number(id) });
};

const dress = createDresser();
const finder = createFinder(menu, track);
const slides = isScreen ? startSlides(menu) : null;
const reading = createReadingWatch(document.getElementById('sections'), (id) =>
  trackOnce('section_view', 'category_id', id.slice('section-'.length)),
);
let sections = [];
let texts = allTexts[root.lang];
let shownLocale;
/** The language asked for last, which is not there yet, perhaps. */
let wantedLocale;
/** When the menu that is shown was last known to be good. */
let shownGoodAt;
let unfollow;

function firstLocale() {
  const supported = locales.split(' ');
  const wishes = [parameters.get('lang'), recall('locale'), ...navigator.languages];
  const codes = wishes.map((wish) => wish?.slice(0, 2).toLowerCase());
  return codes.find((code) => supported.includes(code)) ?? root.lang;
}

/** The restaurant's time zone; the browser's own where it does not know that one. */
function findZone() {
  const { timezone } = root.dataset;
  try {
    return new Intl.DateTimeFormat('it', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const timezone = findZone();
const clock = (time, timeZone) =>
  new Intl.DateTimeFormat('it', { hour: '2-digit', minute: '2-digit', timeZone }).format(time);

/** A time of the day, with the day where it is not today. */
function moment(time) {
  const format = new Intl.DateTimeFormat(shownLocale, { day: 'numeric', month: 'long' });
  const day = format.format(time);
  return day === format.format(Date.now()) ? clock(time) : `${clock(time)} (${day})`;
}

/** Marks the sections that are closed now; true when they are others than before. */
function markHours() {
  const now = clock(Date.now(), timezone);
  let changed = false;
  for (const section of sections) {
    const marks = document.getElementById(`section-${section.id}`)?.classList;
    const wasClosed = marks?.contains('closed');
    if (marks?.toggle('closed', !isOpen(section, now)) !== wasClosed) changed = true;
  }
  return changed;
}

/** Puts new elements into the menu, and leaves the reader where they were. */
function replaceMenu(elements) {
  const open = [...menu.querySelectorAll('details[open]')].map((more) => more.parentElement.id);
  // A dish has one summary and at most one link.
  const { localName } = document.activeElement;
  const focused = document.activeElement.closest('.dish')?.id;
  const place = [...menu.querySelectorAll('.dish')].find(
    (dish) => dish.getBoundingClientRect().top > 0,
  );
  const top = place?.getBoundingClientRect().top;
  menu.replaceChildren(...elements);
  const find = (id, selector) => document.getElementById(id)?.querySelector(selector);
  for (const id of open) find(id, 'details')?.setAttribute('open', '');
  const again = focused && (find(focused, localName) ?? find(focused, 'summary'));
  again?.focus({ preventScroll: true });
  return () => {
    const there = scrollY > 0 && place && document.getElementById(place.id);
    const moved = there ? there.getBoundingClientRect().top - top : 0;
    scrollBy({ top: moved, behavior: 'instant' });
  };
}

function showMenu({ data, meta }, allergens) {
  const { settings, theme } = data;
  const { locale } = meta;
  const isFirst = !shownLocale;
  texts = allTexts[locale];
  ({ sections } = data);
  const labels = new Map(
    allergens.data.map(({ key, name }, index) => [key, { key, name, number: index + 1 }]),
  );
  const tree = nest(sections);
  dress(theme);
  fillFrame({ settings, theme, tree, locale, labels, texts });
  const render = createRenderer({ settings, locale, labels, texts });
  const textContent = tree.length > 0 ? texts.closed : texts.empty;
  const returnToPlace = replaceMenu([
    ...tree.map((node) => render(node)),
    el('p', { className: 'nothing', textContent }),
  ]);
  shownLocale = locale;
  markHours();
  finder.take(
    sections.filter(({ id }) => document.getElementById(`section-${id}`)),
    labels,
    texts,
  );
  returnToPlace();
  slides?.take(texts);
  reading.watch(menu.querySelectorAll('section'));
  if (!isFirst) return;
  keepForOutages().catch(console.warn);
  track('menu_view', { locale });
  // The page was empty when the browser looked for the section that the address names.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function showState(goodAt, isGood) {
  // The answer in another language may not be here yet: what is shown keeps its time until then.
  shownGoodAt = goodAt ?? shownGoodAt;
  const time = shownGoodAt && moment(shownGoodAt);
  const say = (text) => text.replace('{time}', time);
  if (shownLocale) document.getElementById('updated').textContent = say(texts.updated);
  const trouble = shownLocale ? say(texts.outage) : texts.unreachable;
  document.getElementById('outage').textContent = isGood ? '' : trouble;
}

function follow(locale) {
  wantedLocale = locale;
  unfollow?.();
  unfollow = followMenu({
    locale,
    every: EVERY[isScreen ? 'screen' : 'guest'],
    always: isScreen,
    onMenu: showMenu,
    onState: showState,
  });
}

document.getElementById('languages').addEventListener('click', ({ target }) => {
  const locale = target.value;
  if (!locale || (locale === shownLocale && locale === wantedLocale)) return;
  remember('locale', locale);
  parameters.set('lang', locale);
  history.replaceState(null, '', `?${parameters}${location.hash}`);
  track('locale_change', { locale });
  follow(locale);
});
menu.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open)
      trackOnce('item_view', 'item_id', target.parentElement.id.slice('dish-'.length));
  },
  true,
);
document.getElementById('foot').addEventListener('click', ({ target }) => {
  if (target.id === 'review') track('review_click');
});

root.classList.toggle('screen', isScreen);
if (isScreen && !isWall) offerWayOut(() => texts.browse);
follow(firstLocale());
setInterval(() => {
  if (markHours()) slides?.take(texts);
}, HOURS_EVERY);
// Where nothing says this, `renew.js` loads the page again.
root.dataset.begun = '';
