import { openingState, sayOpening } from '../../../db/hours/opening.js';
import { isInDates, isServed, localMoment } from '../../../db/hours/served.js';

/** The restaurant's time zone; the browser's own where it does not know that one. */
export function findZone() {
  const { timezone } = document.documentElement.dataset;
  try {
    return new Intl.DateTimeFormat('it', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The time of the day as `HH:MM`. */
export const clock = (time, timeZone) =>
  new Intl.DateTimeFormat('it', { hour: '2-digit', minute: '2-digit', timeZone }).format(time);

/** The restaurant's day and time, as `localMoment` has them. */
export const localNow = () => localMoment(Date.now(), findZone());

/** The restaurant's day, `YYYY-MM-DD`. */
export const localDay = () => localMoment(Date.now(), findZone()).day;

/**
 * Marks the offers that hold now and the sections that are closed, and hides those that are out of
 * their dates; true when other sections are closed than before.
 */
export function markHours(menu) {
  const now = localMoment(Date.now(), findZone());
  let changed = false;
  for (const section of menu.querySelectorAll('section')) {
    const isClosed = !isServed(section.dataset, now);
    if (section.classList.contains('closed') !== isClosed) changed = true;
    section.classList.toggle('closed', isClosed);
    section.hidden = !isInDates(section.dataset, now);
  }
  for (const offer of menu.querySelectorAll('.offer')) {
    offer.classList.toggle('holds', isServed(offer.dataset, now));
    offer.hidden = !isInDates(offer.dataset, now);
  }
  return changed;
}

/** Says below the restaurant's name whether it is open; leaves out closures that are over. */
export function showOpening(texts) {
  const line = document.getElementById('open');
  if (!line) return;
  const now = localMoment(Date.now(), findZone());
  const state = openingState(JSON.parse(line.dataset.hours), now);
  const said = sayOpening(state, now, texts, texts.locale);
  const why = state.isOpen === false && state.closure?.text;
  const text = why ? `${said} · ${why}` : said;
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle('shut', state.isOpen === false);
  for (const closure of document.querySelectorAll('#hours [data-last]')) {
    closure.hidden = closure.dataset.last < now.day;
  }
}
