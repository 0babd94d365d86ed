// A restaurant's menu as a page: the server has written it, and this keeps it fresh and helps to read.
import { createAbort } from './abort.js';
import { fetchPage, showPage } from './document.js';
import { createTracker } from './events.js';
import { createFinder } from './finder.js';
import { follow } from './follow.js';
import { clock, findZone, localDay, markHours, showOpening } from './hours.js';
import { recall, remember } from './memory.js';
import { keepForOutages } from './offline.js';
import { retryPictures, watchPictures } from './pictures.js';
import { watchShares } from './share.js';
import { createDresser } from './theme.js';
import { createReadingWatch } from './watch-reading.js';

/** How long an answer may take, in ms. */
const TIMEOUT = 10_000;
const HOURS_EVERY = 20_000;
const YEAR_SECONDS = 31_536_000;

const root = document.documentElement;
const menu = document.getElementById('menu');
const parameters = new URLSearchParams(location.search);

/** The data that a file from a stick has beside its document; null on a page of a server. */
function readCarried() {
  const block = document.getElementById('carried');
  return block && JSON.parse(block.textContent);
}

/** Whether the address says how the menu is printed. */
const isForPaper = ['paper', 'print', 'size', 'type'].some((name) => parameters.has(name));
/** Whether this page is a screen's own, whose settings the panel has. */
const hasPlace = location.pathname === '/screen';
const carried = readCarried();
/** On a wall there are no guests who scroll or type. */
const isWall = hasPlace || carried !== null || parameters.get('screen') === '1';
const isWide =
  parameters.get('screen') !== '0' && root.dataset.layout === 'slides' && innerWidth >= 1_600;
const isScreen = isWall || isWide;
root.classList.toggle('screen', isScreen);

// A screen is no guest, and what it shows says nothing about anybody.
/** A preview of another menu, or of sheets of paper, counts nothing, and stays as it is. */
const isPreview = 'preview' in root.dataset || parameters.has('paper');
const track = isScreen || isPreview ? () => {} : createTracker();
const told = new Set();
const trackOnce = (type, field, id) => {
  if (told.has(type + id)) return;
  told.add(type + id);
  track(type, { [field]: Number(id) });
};

const readTexts = () => JSON.parse(document.getElementById('texts').textContent);
let texts = readTexts();
/** The language asked for last, which is not there yet, perhaps. */
let wantedLocale = root.lang;
let asking;
/** When the menu that is shown was last known to be good; a kept copy knows it from its last visit. */
let goodAt = 'kept' in root.dataset ? recall('good') : Date.now();

const dress = createDresser();
const finder = createFinder(menu, track);
/** Gives the documents of a file from a stick. */
let carriedPage;
/** The parts of a screen; null on a guest's page. */
let screen = null;
/** Asks now whether there is another menu; with `false`, when the gateway allows it. */
let checkNow;
/** Whether the language that is asked for is the next one in turn, whose menu begins anew. */
let isTurning = false;

const reading = createReadingWatch(document.getElementById('sections'), (id) =>
  trackOnce('section_view', 'category_id', id.slice('section-'.length)),
);

/** A time of the restaurant's day, with the day where it is not today. */
function moment(time) {
  const timeZone = findZone();
  const format = new Intl.DateTimeFormat(root.lang, { day: 'numeric', month: 'long', timeZone });
  const day = format.format(time);
  const said = clock(time, timeZone);
  return day === format.format(Date.now()) ? said : `${said} (${day})`;
}

/** Whether the last question was answered. */
let isFresh = true;

/** Says how old the menu is, and whether it can be followed. */
function showState(isGood) {
  isFresh = isGood;
  const isCarried = screen !== null && 'carried' in texts;
  if (isGood && !isCarried) {
    goodAt = Date.now();
    remember('good', goodAt);
  }
  const at = isCarried ? Date.parse(texts.carried.made_at) : goodAt;
  const say = (text) => text.replace('{time}', moment(at ?? Date.parse(root.dataset.generated)));
  document.getElementById('updated').textContent = say(texts.updated);
  // Guests before a wall need not know of an outage that is over soon.
  const isSaid = !isGood && (!screen || screen.isOld(goodAt ?? 0));
  const warning = isSaid ? texts.outage : '';
  document.getElementById('outage').textContent = say(
    isCarried ? screen.carriedWarning(texts) : warning,
  );
}

/** Few menus have photos: what draws their placeholders is loaded for these. */
async function drawPlaceholders() {
  if (!document.querySelector('img[data-thumb]')) return;
  const placeholders = await import('./placeholders.js');
  placeholders.drawPlaceholders();
}

/** The guest's list, once it is there. */
let list;
let listComes;

/** Resolves when the list's stylesheet is here, or does not come: bare it would be shown for a moment. */
function bringListSheet() {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = texts.files[texts.files.length - 1];
  return new Promise((resolve) => {
    sheet.onload = resolve;
    sheet.onerror = resolve;
    document.head.append(sheet);
  });
}

async function makeList() {
  const [{ createList }] = await Promise.all([import('./list.js'), bringListSheet()]);
  list = createList(menu, () => texts);
}

/** Loads the list when a guest opens a dish, or has a list from before. */
function bringList() {
  listComes = listComes || makeList();
  return listComes;
}

/** Takes over the menu that is in the page. */
function takeMenu() {
  texts = readTexts();
  drawPlaceholders().catch(console.warn);
  markHours(menu);
  if (isForPaper) {
    import('./paper.js')
      .then(({ preparePaper }) => preparePaper(root, parameters, menu))
      .catch(console.warn);
  }
  showOpening(texts);
  finder.take(texts);
  if (list) list.take();
  if (screen) {
    screen.keepMoments(texts);
    screen.hang();
    screen.slides.take(texts);
    screen.rest(texts);
  }
  reading.watch(menu.querySelectorAll('section'));
}

/** Shows what the settings of the screen say now. */
function applySettings(next) {
  screen.showName(next);
  const { languages } = next;
  if (languages.length > 0 && !languages.includes(root.lang)) {
    [wantedLocale] = languages;
    checkNow();
  } else takeMenu();
}

/** After a round of the menu a screen takes its next language; true when that is on its way. */
function turnLanguage() {
  const { languages } = screen.settings.present();
  const next = languages[(languages.indexOf(root.lang) + 1) % languages.length];
  if (next === undefined || next === root.lang) return false;
  wantedLocale = next;
  isTurning = true;
  checkNow();
  return true;
}

async function fetchWanted(locale) {
  asking = createAbort();
  const timer = setTimeout(() => asking.abort(), TIMEOUT);
  try {
    return await (carriedPage || fetchPage)(locale, asking.signal);
  } catch (error) {
    // Another language has been chosen meanwhile.
    if (locale !== wantedLocale) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Without a connection the next language waits, and the present one begins anew. */
async function check() {
  try {
    await takeNews();
  } finally {
    if (isTurning) {
      isTurning = false;
      wantedLocale = root.lang;
      screen.slides.restart();
    }
  }
}

async function takeNews() {
  if (isWall && !carried) await screen.settings.ask();
  const locale = wantedLocale;
  const page = await fetchWanted(locale);
  if (!page || locale !== wantedLocale) return;
  showPage(page);
  if (!carried) dress(page.next);
  takeMenu();
  retryPictures();
}

function chooseLocale(locale) {
  // biome-ignore lint/suspicious/noDocumentCookie: over http there is no Cookie Store
  document.cookie = `lang=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  parameters.set('lang', locale);
  history.replaceState(history.state, '', `?${parameters}${location.hash}`);
  track('locale_change', { locale });
  wantedLocale = locale;
  asking?.abort();
  checkNow();
}

document.getElementById('masthead').addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  const isLanguage = target.closest('#languages') && target.hreflang;
  if (isPreview || !isLanguage || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  const isShown = target.hreflang === root.lang && target.hreflang === wantedLocale;
  if (!isShown) chooseLocale(target.hreflang);
});
menu.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && !screen && !isPreview) bringList().catch(console.warn);
    if (target.open)
      trackOnce('item_view', 'item_id', target.parentElement.id.slice('dish-'.length));
  },
  true,
);
document.getElementById('foot').addEventListener('click', ({ target }) => {
  if (target.id === 'review') track('review_click');
});

function begin() {
  watchPictures();
  if (!screen) watchShares(menu, () => texts);
  takeMenu();
  showState(!('kept' in root.dataset));
  track('menu_view', { locale: root.lang });
  if (screen && !isWall) screen.offerWayOut(() => texts.browse);
  if (hasPlace) screen.offerStick(() => texts);
  const present = () => ({
    version: Number(root.dataset.version),
    generated_at: root.dataset.generated,
  });
  if (isPreview) checkNow = () => {};
  else if (carried) checkNow = () => void check().catch(console.warn);
  else {
    checkNow = follow({
      ...{ check, present, always: isScreen, onState: showState },
      query: hasPlace ? `?screen=1&width=${innerWidth}&height=${innerHeight}` : '',
      onScreen: () => void screen?.settings.ask().catch(console.warn),
    });
  }
  // A copy that the worker has opened may be old.
  if ('kept' in root.dataset) checkNow();
  let day = localDay();
  if (screen) addEventListener('resize', screen.hang);
  setInterval(() => {
    showOpening(texts);
    markHours(menu);
    if (screen) {
      screen.keepMoments(texts);
      if (screen.slides.isStale()) screen.slides.take(texts);
      screen.rest(texts);
      if (!isFresh || 'carried' in texts) showState(isFresh);
    }
    // The sections of another day are not in the page.
    if (day !== localDay()) checkNow(false);
    day = localDay();
  }, HOURS_EVERY);
  if (!isPreview && !carried) keepForOutages().catch(console.warn);
  if (!screen && !isPreview && (recall('list') || []).length > 0) bringList().catch(console.warn);
  // Where nothing says this, `renew.js` loads the page again.
  root.dataset.begun = '';
  dispatchEvent(new Event('begun'));
}

async function beginOnScreen() {
  const { createScreen } = await import('./on-screen.js');
  if (carried) {
    const { createDocuments } = await import('./carried.js');
    carriedPage = createDocuments(carried);
  }
  const given = carried?.settings;
  screen = createScreen(menu, hasPlace, given, applySettings, turnLanguage);
  begin();
}

if (isScreen) beginOnScreen().catch(console.warn);
else begin();
