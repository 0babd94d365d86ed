// A menu that has come without a network: it keeps its moments by the clock of this screen, and gives
// way where it is too old to be trusted.
import { el } from './element.js';

const root = document.documentElement;
const $ = (id) => document.getElementById(id);

/** The clock of this screen, and how it stands to the times of a carried menu. */
function clockOf({ made_at, expires_at }) {
  const madeAt = Date.parse(made_at);
  // A clock before the menu was made is wrong: time began with the menu.
  const now = Math.max(Date.now(), madeAt);
  return { now, isBehind: Date.now() < madeAt, isExpired: now >= Date.parse(expires_at) };
}

function isSeen([from, until], now) {
  return (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until));
}

function endSoldOut(ends, now) {
  for (const [id, end] of Object.entries(ends)) {
    const dish = Date.parse(end) <= now && $(`dish-${id}`);
    if (!dish) continue;
    dish.classList.remove('sold-out');
    const gone = dish.querySelector('.gone');
    if (gone) gone.hidden = true;
  }
}

/** Puts a text in place of allergens that may have changed. */
function askStaff(text) {
  const legend = $('legend');
  if (legend && !$('ask-staff')) legend.append(el('p', { id: 'ask-staff', textContent: text }));
}

/**
 * Shows and hides what comes and goes at moments; `markHours` has done so with hours. On a screen whose
 * clock is wrong no offer holds.
 */
export function keepMoments(menu, { carried, askStaff: text }) {
  const { now, isBehind, isExpired } = carried ? clockOf(carried) : {};
  root.classList.toggle('expired', isExpired === true);
  if (!carried) return;
  const { dishes, sections, sold_out } = carried.moments;
  for (const [id, span] of Object.entries(dishes)) {
    const dish = $(`dish-${id}`);
    if (dish) dish.classList.toggle('closed', !isSeen(span, now));
  }
  for (const [id, span] of Object.entries(sections)) {
    const section = $(`section-${id}`);
    if (section && !isSeen(span, now)) section.hidden = true;
  }
  endSoldOut(sold_out, now);
  if (isExpired) askStaff(text);
  if (!isBehind) return;
  for (const offer of menu.querySelectorAll('.offer')) {
    offer.hidden = true;
    offer.classList.remove('holds');
  }
}

/** The warning of a carried menu, with `{time}` for when it was made; empty for none. */
export function carriedWarning({ carried, stick, outage }) {
  const { isBehind, isExpired } = clockOf(carried);
  if (isBehind) return stick.clockBehind;
  return isExpired ? outage : '';
}

/** Makes the function that gives the documents of such a file; null for the language that is shown. */
export function createDocuments({ language, documents }) {
  const first = document.cloneNode(true);
  const pictures = [...document.querySelectorAll('img[data-path]')];
  const photos = new Map(pictures.map(({ dataset, src }) => [dataset.path, src]));
  return async (locale) => {
    if (locale === root.lang) return null;
    if (locale === language) return { next: first };
    const text = documents[locale];
    if (text === undefined) return null;
    const next = new DOMParser().parseFromString(text, 'text/html');
    for (const image of next.querySelectorAll('img')) {
      const path = image.getAttribute('src');
      image.setAttribute('data-path', path);
      image.setAttribute('src', photos.get(path) || '');
    }
    return { next };
  };
}
