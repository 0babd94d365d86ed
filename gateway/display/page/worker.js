// Opens the page from the copies that it keeps when the network has nothing better.
const isOurs = ({ method, url }) =>
  method === 'GET' && /^\/(display\/.*)?$/.test(new URL(url).pathname);

async function answer(request) {
  const kept = () => caches.match(request, { ignoreSearch: true });
  try {
    const response = await fetch(request);
    return response.status < 500 ? response : ((await kept()) ?? response);
  } catch (error) {
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

addEventListener('install', (event) => {
  // What a page sends as it is left would be lost on its way through here; menus are not kept here.
  const toNetwork = { condition: { urlPattern: '/api/*' }, source: 'network' };
  event.waitUntil(event.addRoutes?.(toNetwork));
  skipWaiting();
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (isOurs(event.request)) event.respondWith(answer(event.request));
});
