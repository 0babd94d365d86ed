// Takes a signed menu into the copies from which the worker opens a screen without a network.
import { verifyAsync } from '@noble/ed25519';
import { zipMeans } from '../../../db/bundle/unzip.js';
import { openBundle } from '../../../db/bundle/verify.js';

const CACHE = 'display';
const PAGES = 'screen/';
const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  woff2: 'font/woff2',
};

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Browsers know Ed25519 since Chromium 137, Firefox 129 and Safari 17; others bring it along. */
async function verify(signature, bytes, publicKey) {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, bytes);
  } catch {
    return verifyAsync(signature, bytes, publicKey).catch(() => false);
  }
}

const means = {
  ...zipMeans,
  sha256: async (bytes) => hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))),
  verify,
};

const typeOf = (path) => TYPES[path.split('.').pop()] || 'application/octet-stream';

/** Keeps the files under their addresses, and the pages last: a half import is never shown. */
async function keep(files) {
  const cache = await caches.open(CACHE);
  const present = await cache.match('/screen');
  const paths = Object.keys(files).filter((path) => !path.startsWith('manifest.'));
  const pages = paths.filter((path) => path.startsWith(PAGES));
  for (const path of paths.filter((one) => !pages.includes(one))) {
    const headers = { 'Content-Type': typeOf(path) };
    await cache.put(`/${path}`, new Response(files[path], { headers }));
  }
  const headers = new Headers(present ? present.headers : {});
  headers.set('Content-Type', TYPES.html);
  for (const path of pages) {
    const locale = path.slice(PAGES.length, -'.html'.length);
    await cache.put(`/screen?lang=${locale}`, new Response(files[path], { headers }));
  }
  const [first] = pages;
  await cache.put('/screen', new Response(files[first], { headers }));
}

/** @throws RefusedBundle, whose `reason` names why */
export async function importBundle(file, settings, texts) {
  const { bundle_keys: keys = [], restaurant } = settings.present();
  const { version, generated } = document.documentElement.dataset;
  const made_at = texts.carried ? texts.carried.made_at : generated;
  const bytes = new Uint8Array(await new Response(file).arrayBuffer());
  const trust = { keys, restaurant, shown: { version: Number(version), made_at } };
  const { manifest, files } = await openBundle(bytes, trust, means);
  await keep(files);
  if (manifest.next_key) settings.trust(manifest.next_key);
}
