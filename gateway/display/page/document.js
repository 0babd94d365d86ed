import { fileOf, keepPage } from './offline.js';
import { patch } from './patch.js';

/** The elements that a new document may change; all of them are in every document. */
const PARTS = ['#skip', '#masthead', '#bar', '#menu', '#legend', '#foot', '#paper', '#texts'];
const ATTRIBUTES = [
  'lang',
  'data-tag',
  'data-generated',
  'data-version',
  'data-timezone',
  'data-layout',
  'data-header',
];

const root = document.documentElement;
/** The server's document that the page shows, before script or reader have changed anything. */
let former = document.cloneNode(true);

/** Leaves the reader where they were although something above them changes. */
function keepPlace(change) {
  const dishes = [...document.querySelectorAll('.dish')];
  const place = dishes.find((dish) => dish.getBoundingClientRect().top > 0);
  const top = place?.getBoundingClientRect().top;
  change();
  const isThere = scrollY > 0 && place?.isConnected;
  const moved = isThere ? place.getBoundingClientRect().top - top : 0;
  if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
}

/** Asks for the page in a language; null when the one that is shown is still good. */
export async function fetchPage(locale, signal) {
  const isShown = locale === root.lang;
  const response = await fetch(fileOf(locale), {
    headers: isShown ? { 'If-None-Match': root.dataset.tag } : {},
    cache: 'no-store',
    signal,
  });
  if (response.status === 304) return null;
  const error = new Error(`the page answers ${response.status}`);
  error.retryAfter = Number(response.headers.get('Retry-After')) * 1_000;
  if (!response.ok) throw error;
  const text = await response.text();
  const next = new DOMParser().parseFromString(text, 'text/html');
  // The sign-in page of a hotel's Wi-Fi is no menu.
  if (next.documentElement.dataset.tag === undefined) throw error;
  return { next, text, headers: response.headers };
}

/** Shows a fetched page in place of the present one. */
export function showPage({ next, text, headers }) {
  keepPlace(() => {
    for (const selector of PARTS) {
      const [live, old, fresh] = [document, former, next].map((one) => one.querySelector(selector));
      patch(live, old, fresh);
    }
    for (const name of ATTRIBUTES) root.setAttribute(name, next.documentElement.getAttribute(name));
    if (next.documentElement.hasAttribute('data-empty')) root.dataset.empty = '';
    else root.removeAttribute('data-empty');
    document.title = next.title;
  });
  const isOfAnotherRelease = next.documentElement.dataset.release !== root.dataset.release;
  former = next;
  if (isOfAnotherRelease) dispatchEvent(new Event('outdated'));
  // A file from a stick has all of its documents itself.
  if (headers) keepPage(root.lang, text, headers);
}
