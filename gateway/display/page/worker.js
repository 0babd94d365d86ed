// Opens the page from the copies that it keeps when the network has nothing better.

/** How long the network may take to open the page before a copy does, in ms. */
const PATIENCE = 5_000;

const pathOf = (url) => new URL(url).pathname;
// Photos are among the copies where a menu from a stick has brought them.
const isFile = ({ url }) => /^\/((display|media)\/|admin\/[\w-]+\.(css|js)$)/.test(pathOf(url));
/** The pages of guests, of screens, and of those who serve. */
const PAGES = ['/', '/screen', '/admin/service'];
const isOpened = ({ mode, url }) => mode === 'navigate' && PAGES.includes(pathOf(url));

/** The copy that a request can be answered with. */
async function copyOf(request) {
  if (isFile(request)) return caches.match(request);
  const { pathname, searchParams } = new URL(request.url);
  const lang = searchParams.get('lang');
  const base = searchParams.get('screen') === '1' ? `${pathname}?screen=1` : pathname;
  const inLanguage = `${base}${base.includes('?') ? '&' : '?'}lang=${lang}`;
  const copy = (lang && (await caches.match(inLanguage))) || (await caches.match(base));
  if (!copy) return undefined;
  // The page has to know that it may be old.
  const text = (await copy.text()).replace('<html ', '<html data-kept ');
  return new Response(text, { headers: copy.headers });
}

async function answer(request) {
  const fromNetwork = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const response = await Promise.race([fromNetwork, late]);
    if (response?.status < 500) return response;
    return (await copyOf(request)) ?? (await fromNetwork);
  } catch (error) {
    const copy = await copyOf(request);
    if (copy) return copy;
    throw error;
  }
}

addEventListener('install', (event) => {
  // A request that a page sends while it closes would be lost on its way through here. A stream would
  // end with this worker.
  const toNetwork = { condition: { urlPattern: '/api/*' }, source: 'network' };
  event.waitUntil(event.addRoutes?.(toNetwork));
  skipWaiting();
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const isOurs = request.method === 'GET' && (isFile(request) || isOpened(request));
  if (isOurs) event.respondWith(answer(request));
});
