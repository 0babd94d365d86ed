// Copies of the page and its files, from which the worker opens it without a connection.
const CACHE = 'display';

/** The page's address in a language; also its name among the copies. */
export const fileOf = (locale) => `/?lang=${locale}`;

const isPossible = () => 'serviceWorker' in navigator;

async function put(locale, text, headers) {
  const cache = await caches.open(CACHE);
  const names = ['Content-Type', 'Content-Security-Policy', 'Referrer-Policy'];
  const kept = names.map((name) => [name, headers.get(name) ?? '']);
  // The page that was shown last opens where the address names no language.
  for (const name of [fileOf(locale), '/']) {
    await cache.put(name, new Response(text, { headers: Object.fromEntries(kept) }));
  }
}

/** Keeps a page that has just come. */
export function keepPage(locale, text, headers) {
  if (isPossible()) put(locale, text, headers).catch(console.warn);
}

/** Keeps the page that the browser has just opened, and its files (https only). */
export async function keepForOutages() {
  if (!isPossible()) return;
  await navigator.serviceWorker.register('/display/worker.js', { scope: '/' });
  const folder = new URL('.', import.meta.url).href;
  const links = [...document.querySelectorAll('link[href^="/display/"]')].map(({ href }) => href);
  const files = [...new Set([...links, `${folder}display.js`, `${folder}renew.js`])];
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  // The browser has it already: this asks no server.
  const address = location.pathname + location.search;
  const page = await fetch(address, { cache: 'force-cache' });
  if (page.ok) await put(document.documentElement.lang, await page.text(), page.headers);
  for (const { url } of await cache.keys()) {
    const isPage = new URL(url).pathname === '/';
    if (!isPage && !url.startsWith(folder) && !files.includes(url)) await cache.delete(url);
  }
}
