import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { createForm, entityTag, prepareResource, type Resource } from '../http/resource.ts';

/** Something that the page refers to and browsers may keep for good under the address it has. */
export interface Asset {
  /** @param version that the address names: another version's copy must not be kept as this one */
  read(version: string): Resource;
}

const FOREVER = 'public, max-age=31536000, immutable';
const TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript' };

/** A digest for addresses: equal content has an equal one. */
export function versionOf(...contents: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('base64url').slice(0, 12);
}

/** Prepares an asset in every encoding. */
export function createAsset(version: string, name: string, content: string | Buffer): Asset {
  const identity = Buffer.from(content);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const body = {
    etag: entityTag(name, identity.toString()),
    identity,
    gzip: gzipSync(identity, { level: 9 }),
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  };
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'X-Content-Type-Options': 'nosniff',
    // The worker looks after the page above its own folder, too.
    ...(name === 'worker.js' && { 'Service-Worker-Allowed': '/' }),
  };
  const current = prepareResource(body, createForm(FOREVER, headers));
  const other = prepareResource(body, createForm('no-cache', headers));
  return { read: (requested) => (requested === version ? current : other) };
}

const folder = new URL('./page/', import.meta.url);
const contents = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|js)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder))]),
);

/** Changes whenever one of the files does, so that a page never mixes those of two releases. */
export const pageVersion = versionOf(...[...contents].flat());

/** The files of the page by their names below `page/`. */
export const pageAssets: ReadonlyMap<string, Asset> = new Map(
  [...contents].map(([name, content]) => [name, createAsset(pageVersion, name, content)]),
);
