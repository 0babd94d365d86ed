import { readdirSync, readFileSync } from 'node:fs';
import { type Asset, createFileAsset, versionOf } from '../http/asset.ts';

const TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript' };
const folder = new URL('./page/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|js)$/.test(name))
  .sort()
  .map((name) => [name, new URL(name, folder)] as const);
// What a search of the API finds, the page's own finds, too.
const fold = new URL('../search/fold.js', import.meta.url);
const contents = new Map(
  [...files, ['fold.js', fold] as const].map(([name, file]) => [name, readFileSync(file)]),
);

/** Changes whenever one of the files does, so that a page never mixes those of two releases. */
export const pageVersion = versionOf(...[...contents].flat());

function assetOf(name: string, content: Buffer): Asset {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] as string;
  // The worker looks after the page above its own folder, too.
  const headers = name === 'worker.js' ? { 'Service-Worker-Allowed': '/' } : {};
  return createFileAsset(type, content, pageVersion, headers);
}

/** The files of the page by their names below `page/`. */
export const pageAssets: ReadonlyMap<string, Asset> = new Map(
  [...contents].map(([name, content]) => [name, assetOf(name, content)]),
);
