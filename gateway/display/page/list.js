// The guest's list: dishes that a guest wants to order, kept on the phone. It orders and sends nothing.
import { el } from './element.js';
import { createMoney, readDish, sumOf } from './list-prices.js';
import { recall, remember } from './memory.js';
import { fileOf, keepPage } from './offline.js';

const KEY = 'list';
const MOST_OF_ONE = 99;

const root = document.documentElement;

/** Each has a dish, a size or null, options as `group/option`, how many, and names in the house's language. */
let entries = recall(KEY) || [];
let texts;
let house = null;
let opener = null;

const money = createMoney(root);
const countAll = () => entries.reduce((sum, { n }) => sum + n, 0);
const nameOf = (element) => element.textContent.replace(/\u00ad/g, '').trim();

const bar = el('button', { type: 'button', id: 'list-open', hidden: true });
const title = el('h2', { id: 'list-title', tabIndex: -1 });
const items = el('ol');
const total = el('p', { className: 'list-total' });
const note = el('p', { className: 'list-note' });
const waiter = el('button', { type: 'button', className: 'list-waiter' });
const close = el('button', { type: 'button', className: 'list-close' });
const status = el('p', { className: 'said' });
status.setAttribute('role', 'status');
const sheet = el('section', { id: 'list', hidden: true }, title, items, total, note, waiter, close);
sheet.setAttribute('role', 'dialog');
sheet.setAttribute('aria-modal', 'true');
sheet.setAttribute('aria-labelledby', 'list-title');

/** The document in the house's language, where guests read another one; null when it cannot be had. */
async function readHouse() {
  const { house: locale } = root.dataset;
  if (!locale || locale === root.lang) return null;
  try {
    const response = await fetch(fileOf(locale));
    if (!response.ok) return null;
    const copy = response.clone();
    const text = await response.text();
    const page = new DOMParser().parseFromString(text, 'text/html');
    if (page.documentElement.dataset.tag === undefined) return null;
    keepPage(locale, text, copy.headers);
    return page;
  } catch {
    // Without a network the names that came with the entry stand there.
    return null;
  }
}

function save() {
  remember(KEY, entries);
  show();
}

/** The labels of an entry in a document; null where that has no such dish any more. */
function labelsIn(page, { dish, size, options }) {
  const found = readDish(page, dish);
  if (!found) return null;
  const chosen = options.map((path) => found.option(path));
  const sized = size === null ? null : found.sizes[size];
  if (chosen.includes(undefined) || sized === undefined) return null;
  const parts = [sized, ...chosen].filter(Boolean);
  const timesOf = (part) => parts.filter((one) => one === part).length;
  if (chosen.some((part) => timesOf(part) > part.most)) return null;
  const each = parts.filter((part, at) => parts.indexOf(part) === at);
  const written = each.map((part) => {
    const n = timesOf(part);
    return n > 1 ? `${n} × ${part.label}` : part.label;
  });
  return { found, name: nameOf(found.name), parts, more: written.join(', ') };
}

function stepper(entry, name) {
  const change = (by) => {
    entry.n = Math.min(MOST_OF_ONE, entry.n + by);
    if (entry.n < 1) entries = entries.filter((one) => one !== entry);
    save();
    title.focus();
  };
  const button = (text, label, by) => {
    const one = el('button', { type: 'button', textContent: text, onclick: () => change(by) });
    one.setAttribute('aria-label', `${name}: ${label}`);
    return one;
  };
  return el(
    'span',
    { className: 'list-steps' },
    button('−', texts.listLess, -1),
    button('+', texts.listMore, 1),
  );
}

const noPrice = (own) => (own?.found.isAsked ? texts.onRequest : '–');

function itemOf(entry) {
  const own = labelsIn(document, entry);
  const home = (house && labelsIn(house, entry)) || entry.home;
  const first = home || own || entry.own;
  const lang = home ? root.dataset.house || root.lang : root.lang;
  const second = own && own.name !== first.name ? own : null;
  const price = own ? sumOf(own.found, own.parts) : null;
  const isGone = !own || own.found.isSoldOut || own.parts.some((part) => part.isSoldOut);
  const state = isGone && (own ? texts.soldOut : texts.listGone);
  const line = el(
    'p',
    { className: 'list-line' },
    el('b', { className: 'list-count', textContent: `${entry.n} ×` }),
    own?.found.code && el('span', { className: 'list-code', textContent: own.found.code }),
    el('span', { className: 'list-name', textContent: first.name, lang }),
    el('span', {
      className: 'list-price',
      textContent: price === null ? noPrice(own) : money(price * entry.n),
    }),
  );
  const item = el(
    'li',
    { className: isGone ? 'is-gone' : '' },
    line,
    first.more && el('p', { className: 'list-more', textContent: first.more, lang }),
    second &&
      el('p', {
        className: 'list-own',
        textContent: [second.name, second.more].filter(Boolean).join(' · '),
      }),
    state && el('p', { className: 'list-state', textContent: state }),
    stepper(entry, first.name),
  );
  const isAsked = !isGone && own.found.isAsked;
  return { item, price: isGone || price === null ? 0 : price * entry.n, isAsked };
}

function show() {
  const n = countAll();
  bar.hidden = n === 0 || !sheet.hidden;
  bar.textContent = `${texts.listTitle} (${n})`;
  if (sheet.hidden) return;
  title.textContent = texts.listTitle;
  note.textContent = texts.listNote;
  close.textContent = texts.listClose;
  const isForWaiter = sheet.classList.contains('for-waiter');
  waiter.textContent = isForWaiter ? texts.listChange : texts.listWaiter;
  waiter.hidden = n === 0;
  items.textContent = '';
  const shown = entries.map(itemOf);
  items.append(...shown.map(({ item }) => item));
  const sum = shown.reduce((all, { price }) => all + price, 0);
  const isOpen = shown.some(({ isAsked }) => isAsked);
  total.textContent = `${texts.listTotal}: ${money(sum)}${isOpen ? ` + ${texts.onRequest}` : ''}`;
  total.hidden = n === 0;
}

async function open() {
  opener = document.activeElement;
  sheet.hidden = false;
  root.classList.add('with-list');
  show();
  title.focus();
  house = await readHouse();
  show();
}

function leave() {
  sheet.hidden = true;
  sheet.classList.remove('for-waiter');
  root.classList.remove('with-list');
  show();
  (bar.hidden ? opener : bar).focus();
}

const isSame = (left, right) =>
  left.dish === right.dish &&
  left.size === right.size &&
  left.options.join() === right.options.join();

async function add(entry) {
  const present = entries.find((one) => isSame(one, entry));
  if (present) present.n = Math.min(MOST_OF_ONE, present.n + entry.n);
  else entries.push(entry);
  const { name, more } = labelsIn(document, entry);
  entry.own = { name, more };
  save();
  status.textContent = `${name}: ${texts.listAdded}`;
  house = house || (await readHouse());
  const home = house && labelsIn(house, entry);
  if (home) entry.home = { name: home.name, more: home.more };
  save();
}

const priceOf = (textContent) => el('small', { textContent });

/** How many times an option is taken, where that may be more than once. */
function timesOf(group, { label, index, isSoldOut, amount, most }) {
  const count = el('input', {
    ...{ type: 'number', name: `${group}/${index}`, min: '0', max: String(most), value: '0' },
    ...{ disabled: isSoldOut },
  });
  return el('label', {}, count, ` × ${label} `, amount > 0 && priceOf(`+${money(amount)}`));
}

function choiceOf(kind, group, { label, index, isSoldOut, amount }, checked) {
  const box = el('input', {
    ...{ type: kind, name: group, value: String(index), checked, disabled: isSoldOut },
  });
  const price =
    kind === 'radio' && group.startsWith('size')
      ? money(amount)
      : amount > 0 && `+${money(amount)}`;
  return el('label', {}, box, ` ${label} `, price && priceOf(price));
}

/** The form of a dish: its size, what guests choose with it, and how many. */
function formOf(dish, found) {
  const form = el('form', { className: 'to-list' });
  const fieldset = (legend, choices) => {
    const part = el('fieldset', {}, el('legend', { textContent: legend }), ...choices);
    form.append(part);
  };
  if (found.sizes.length > 0) {
    const first = found.sizes.findIndex(({ isSoldOut }) => !isSoldOut);
    const choices = found.sizes.map((one) => choiceOf('radio', 'size', one, one.index === first));
    fieldset(texts.listSize, choices);
  }
  found.groups.forEach(({ name, rule, isOne, options }, at) => {
    const kind = isOne ? 'radio' : 'checkbox';
    const choices = options.map((one) =>
      one.most > 1 ? timesOf(`group-${at}`, one) : choiceOf(kind, `group-${at}`, one, false),
    );
    fieldset(rule ? `${name} ${rule}` : name, choices);
  });
  const count = el('input', {
    type: 'number',
    name: 'n',
    min: '1',
    max: String(MOST_OF_ONE),
    value: '1',
  });
  form.append(
    el('label', { className: 'list-many' }, `${texts.listMany} `, count),
    el('button', { className: 'keep', textContent: `+ ${texts.listTitle}` }),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const chosen = [];
    found.groups.forEach(({ options }, at) => {
      for (const { index, most } of options) {
        const path = `${at}/${index}`;
        const isTicked = data.getAll(`group-${at}`).includes(String(index));
        const n = most > 1 ? Math.floor(Number(data.get(`group-${path}`))) || 0 : Number(isTicked);
        for (let taken = 0; taken < Math.min(n, most); taken += 1) chosen.push(path);
      }
    });
    const size = data.get('size');
    const n = Math.min(MOST_OF_ONE, Math.max(1, Math.floor(Number(data.get('n'))) || 1));
    add({ dish, size: size === null ? null : Number(size), options: chosen, n }).catch(
      console.warn,
    );
  });
  return form;
}

/** Whether a guest can have the dish in no size today. */
function isOut({ isSoldOut, sizes }) {
  return isSoldOut || (sizes.length > 0 && sizes.every((size) => size.isSoldOut));
}

/** Gives an opened dish that is on sale the form that puts it on the list. */
function equip(details) {
  const more = details.querySelector('.more');
  const item = details.closest('.dish');
  if (!more || !item || more.querySelector('.to-list')) return;
  const dish = item.id.slice('dish-'.length);
  const found = readDish(document, dish);
  if (!isOut(found)) more.append(formOf(dish, found));
}

/**
 * Begins to keep the list.
 *
 * @param readTexts gives the page's present texts
 */
export function createList(menu, readTexts) {
  texts = readTexts();
  document.body.append(bar, sheet, status);
  bar.addEventListener('click', () => open().catch(console.warn));
  close.addEventListener('click', leave);
  waiter.addEventListener('click', () => {
    sheet.classList.toggle('for-waiter');
    show();
    title.focus();
  });
  sheet.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return leave();
    if (event.key !== 'Tab') return;
    const all = [...sheet.querySelectorAll('button')].filter((one) => one.offsetParent !== null);
    const [first, last] = [all[0], all[all.length - 1]];
    const isAtEnd = document.activeElement === (event.shiftKey ? first : last);
    if (!isAtEnd) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  });
  menu.addEventListener('toggle', ({ target }) => target.open && equip(target), true);
  for (const details of menu.querySelectorAll('details[open]')) equip(details);
  show();
  return {
    /** Takes over a menu that has just come: prices, names, and what is sold out. */
    take() {
      texts = readTexts();
      for (const form of menu.querySelectorAll('.to-list')) form.remove();
      for (const details of menu.querySelectorAll('details[open]')) equip(details);
      show();
    },
  };
}
