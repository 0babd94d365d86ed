import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { once } from '../../db/runtime/memoize.ts';
import { createForm, prepareRepresentations, type Representations } from './representations.ts';

/** Something that pages refer to and browsers may keep for good under the address that it has. */
export interface Asset {
  /** Names the content in the address. */
  version: string;
  /** @param version that the address names: another version's copy must not be kept as this one */
  read(version: string): Representations;
}

const FOREVER = 'public, max-age=31536000, immutable';

/** A digest for addresses: equal content has an equal one. */
export function versionOf(...contents: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('base64url').slice(0, 12);
}

function compress(identity: Buffer) {
  return {
    gzip: gzipSync(identity, { level: 9 }),
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  };
}

const read = (content: Buffer | (() => Buffer)) =>
  typeof content === 'function' ? content() : content;

/** An asset that is made while others wait: it is short, and goes out as it is. */
export function createShortAsset(type: string, content: string): Asset {
  const body = { etag: entityTag(type, content), identity: Buffer.from(content) };
  return prepareAsset(versionOf(content), body, type);
}

/**
 * An asset from a file, in every encoding. It is compressed when it is first read: all of them take
 * a quarter of a second, which a process should not spend before it answers.
 *
 * @param content or a function that builds it when it is first read
 * @param version by default the file's own
 */
export function createFileAsset(
  type: string,
  content: Buffer | (() => Buffer),
  version = versionOf(read(content)),
  headers: Record<string, string> = {},
): Asset {
  const prepared = once(() => {
    const identity = read(content);
    const etag = entityTag(type, identity.toString());
    return prepareAsset(version, { etag, identity, ...compress(identity) }, type, headers);
  });
  return { version, read: (requested) => prepared().read(requested) };
}

/** An asset from a file of a packed format, which goes out as it is. */
export function createPackedAsset(type: string, content: Buffer, version: string): Asset {
  const body = { etag: entityTag(type, versionOf(content)), identity: content };
  return prepareAsset(version, body, type);
}

function prepareAsset(
  version: string,
  body: Parameters<typeof prepareRepresentations>[0],
  type: string,
  more: Record<string, string> = {},
): Asset {
  const headers = {
    'Content-Type': /^font\//.test(type) ? type : `${type}; charset=utf-8`,
    ...more,
  };
  const current = prepareRepresentations(body, createForm(FOREVER, headers));
  const other = prepareRepresentations(body, createForm('no-cache', headers));
  return { version, read: (requested) => (requested === version ? current : other) };
}
