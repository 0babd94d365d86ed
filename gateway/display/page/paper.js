// How the menu is printed, as the address says: the sheet, the size of the type, and which sections.

import { el } from './element.js';

const PX_PER_MM = 96 / 25.4;
/** The least type, as a share of the usual one: people over forty still read it in the evening. */
const LEAST_TYPE = 0.91;
/** Steps by which type becomes smaller, as shares of the chosen one. */
const FITS = [1, 0.97, 0.94, 0.91];
/** So many dishes may go over to the sheet of the legend. */
const MOST_MOVED = 8;
/** The parts behind the dishes. */
const TAIL = '#legend, #foot';

let isDone = false;

/** Makes the function that tells on which sheet the last element of a selector ends; 0 for none. */
function createSheetFinder(root) {
  const style = getComputedStyle(root);
  const widthOf = (name) => Number.parseFloat(style.getPropertyValue(name)) * PX_PER_MM;
  const step = widthOf('--sheet-width') + widthOf('--between');
  return (selector) => {
    const start = document.body.getBoundingClientRect();
    const far = [...document.querySelectorAll(selector)].map((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      if (width === 0) return 0;
      return root.dir === 'rtl' ? start.right - left : right - start.left;
    });
    return Math.ceil((Math.max(0, ...far) - 1) / step);
  };
}

/** Makes type smaller until `isAlone` is false; true when that is reached. */
function makeSmaller(root, isAlone) {
  const type = Number(getComputedStyle(root).getPropertyValue('--type'));
  for (const fit of FITS) {
    if (type * fit < LEAST_TYPE) break;
    root.style.setProperty('--fit', fit);
    if (!isAlone()) return true;
  }
  root.style.removeProperty('--fit');
  return false;
}

/** The parts that may go to the legend, the best first: one with its heading, or the end of a list. */
function lastParts(dishes) {
  const list = dishes[dishes.length - 1].parentElement;
  const ends = [4, 2, 1]
    .filter((count) => count < list.children.length)
    .map((count) => [...list.children].slice(-count));
  const wholes = [];
  for (let part = list; part.id !== 'menu'; part = part.parentElement) {
    const isWhole = part.matches('section, .group');
    if (isWhole && part.querySelectorAll('.dish').length <= MOST_MOVED) wholes.unshift([part]);
  }
  return [...wholes, ...ends];
}

/** Moves the last dishes into one block with the parts behind them; false when no sheet holds it. */
function moveLast(dishes, behind, isAlone) {
  if (!isAlone(behind)) return true;
  const menu = document.getElementById('menu');
  const last = el('div', { className: 'last' });
  const tail = el('div', { className: 'tail' }, last);
  menu.after(tail);
  tail.append(...document.querySelectorAll(behind));
  for (const parts of lastParts(dishes)) {
    const home = parts[0].parentElement;
    const next = parts[parts.length - 1].nextSibling;
    last.append(...parts);
    if (!isAlone(behind)) return true;
    for (const part of parts) home.insertBefore(part, next);
  }
  tail.replaceWith(...document.querySelectorAll(behind));
  return false;
}

/** Lets the last dish stand on the sheet of the legend and the foot. */
function joinTail(root, lastSheet) {
  const faces = root.dataset.size === 'fold' ? 2 : 1;
  const sheetOf = (selector) => Math.ceil(lastSheet(selector) / faces);
  const isAlone = (behind) => sheetOf('.dish') < sheetOf(behind);
  const dishes = [...document.querySelectorAll('#menu .dish')].filter((one) => one.offsetParent);
  if (dishes.length === 0 || !isAlone(TAIL)) return;
  if (makeSmaller(root, () => isAlone(TAIL))) return;
  // A small sheet may have no room for the foot beside them.
  [TAIL, '#legend'].some((behind) => moveLast(dishes, behind, isAlone));
}

/** Lays the sheets out, and counts them. */
function layOut(root) {
  const lastSheet = createSheetFinder(root);
  joinTail(root, lastSheet);
  root.style.setProperty('--sheets', lastSheet(`.dish, ${TAIL}`));
}

/** Shows the page as the sheets that it will be; resolves when they are laid out. */
function showSheets(root) {
  const sheet = document.querySelector('link[rel=stylesheet][href$="/display.css"]');
  return new Promise((resolve) => {
    sheet.addEventListener('load', () => {
      root.dataset.sheet = '';
      const fonts = document.fonts ? document.fonts.ready : Promise.resolve();
      fonts.then(() => {
        layOut(root);
        resolve();
      });
    });
    sheet.href = sheet.href.replace(/display\.css$/, 'paper.css');
  });
}

/** Takes over what the panel's page for printing has put into the address. */
export function preparePaper(root, parameters, menu) {
  for (const name of ['type', 'size']) {
    const value = parameters.get(name);
    if (value) root.dataset[name] = value;
  }
  const wanted = new Set(parameters.getAll('print').map((id) => `section-${id}`));
  for (const section of menu.querySelectorAll(':scope > section')) {
    section.classList.toggle('not-printed', wanted.size > 0 && !wanted.has(section.id));
  }
  if (isDone) return;
  isDone = true;
  const asked = parameters.get('paper');
  if (asked !== 'now' && asked !== 'show') return;
  showSheets(root)
    // Opens the browser's own preview of the sheets.
    .then(() => asked === 'now' && print())
    .catch(console.warn);
}
