// Copies of the page and its files, from which the worker opens it without a connection.
const CACHE = 'display';
const FILES = /"\/display\/[^"]+\.(?:css|js)"/g;
const HEADERS = ['Content-Type', 'Content-Security-Policy', 'Referrer-Policy'];

const isScreen = new URLSearchParams(location.search).get('screen') === '1';
/** The page's address without a language: a screen's has its own documents. */
const BASE = location.pathname === '/screen' ? '/screen' : isScreen ? '/?screen=1' : '/';

/** The page's address in a language; also its name among the copies. */
export const fileOf = (locale) => `${BASE}${BASE.includes('?') ? '&' : '?'}lang=${locale}`;

const isPossible = () => 'serviceWorker' in navigator;

/** Removes files that the present page does not name, and the pages that may name them. */
async function tidy(cache, present) {
  const kept = await cache.keys();
  const old = kept.filter(({ url }) => !present.has(url.slice(location.origin.length)));
  const isFile = ({ url }) => url.startsWith(`${location.origin}/display/`);
  // Pages in other languages are good for as long as they have the same files.
  if (old.some(isFile)) await Promise.all(old.map((request) => cache.delete(request)));
}

async function put(locale, text, headers) {
  const cache = await caches.open(CACHE);
  const files = [...new Set(text.match(FILES))].map((file) => file.slice(1, -1));
  const held = await Promise.all(files.map((file) => cache.match(file)));
  await cache.addAll(files.filter((_, index) => !held[index]));
  const kept = new Headers(HEADERS.map((name) => [name, headers.get(name) ?? '']));
  // The page that was shown last opens where the address names no language.
  const pages = [fileOf(locale), BASE];
  for (const name of pages) await cache.put(name, new Response(text, { headers: kept }));
  await tidy(cache, new Set([...files, ...pages]));
}

/** Keeps a page that has just come, and its files. */
export function keepPage(locale, text, headers) {
  if (isPossible()) put(locale, text, headers).catch(console.warn);
}

/** Keeps the page that the browser has just opened (https only). */
export async function keepForOutages() {
  if (!isPossible()) return;
  await navigator.serviceWorker.register('/display/worker.js', { scope: '/' });
  // The browser has it already: this asks no server.
  const page = await fetch(location.pathname + location.search, { cache: 'force-cache' });
  if (page.ok) await put(document.documentElement.lang, await page.text(), page.headers);
}
