/** Keeps the page and its files, so that it opens without a connection, too (https only). */
export async function keepForOutages() {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/display/worker.js', { scope: '/' });
  const folder = new URL('.', import.meta.url).href;
  const links = [...document.querySelectorAll('link[href^="/display/"]')].map(({ href }) => href);
  const files = [...links, `${folder}renew.js`];
  const cache = await caches.open('display');
  await cache.addAll(['/', ...files]);
  for (const { url } of await cache.keys()) {
    const isPresent = url === `${location.origin}/` || url.startsWith(folder);
    if (!isPresent && !files.includes(url)) await cache.delete(url);
  }
}
