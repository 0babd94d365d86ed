import { createHash } from 'node:crypto';
import { Zip, ZipPassThrough } from 'fflate';
import { minisignFile, publicKeyOf, signBytes } from './signing.ts';
import { MANIFEST, type Manifest, MINISIG, SIGNATURE } from './verify.js';

/** So many bytes are packed in a step. */
const PIECE = 131_072;
/** A ZIP has a time for each file; this one is the same for all, so that equal bundles are equal. */
const ZIP_TIME = new Date('2000-01-01T12:00:00Z');

/** The keys of a restaurant: the one that signs, and the one that will. */
export interface BundleSecrets {
  secret: Buffer;
  next_secret: Buffer | null;
}

/** The contents of a bundle, before it is signed. */
export type Unsigned = Omit<Manifest, 'format' | 'key_id' | 'next_key' | 'files'>;

/** A file's content step by step. */
function* pieces(content: Uint8Array) {
  for (let at = 0; at < content.length; at += PIECE)
    yield content.subarray(at, Math.min(at + PIECE, content.length));
}

function* digestInSteps(content: Uint8Array): Generator<void, string> {
  const hash = createHash('sha256');
  for (const piece of pieces(content)) {
    hash.update(piece);
    yield;
  }
  return hash.digest('hex');
}

/** A ZIP of files as they are: photos and fonts are packed already. */
export function* zipInSteps(
  files: Iterable<readonly [path: string, content: Uint8Array]>,
): Generator<void, Buffer> {
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    packed.push(piece);
  });
  for (const [path, content] of files) {
    const file = new ZipPassThrough(path);
    file.mtime = ZIP_TIME;
    zip.add(file);
    for (const piece of pieces(content)) {
      file.push(piece);
      yield;
    }
    file.push(new Uint8Array(0), true);
  }
  zip.end();
  return Buffer.concat(packed);
}

/**
 * Packs and signs a bundle, in steps.
 *
 * @param files by their paths
 */
export function* packInSteps(
  about: Unsigned,
  files: ReadonlyMap<string, Uint8Array>,
  { secret, next_secret: next }: BundleSecrets,
): Generator<void, Buffer> {
  const listed: Manifest['files'] = [];
  for (const [path, content] of files) {
    const sha256 = yield* digestInSteps(content);
    listed.push({ path, bytes: content.length, sha256 });
  }
  const manifest: Manifest = {
    ...{ format: 1, ...about, key_id: publicKeyOf(secret).id },
    ...(next && { next_key: publicKeyOf(next).text }),
    files: listed,
  };
  const bytes = Buffer.from(JSON.stringify(manifest, null, 2));
  const comment = `${about.restaurant}, version ${about.version}, ${about.made_at}`;
  return yield* zipInSteps([
    [MANIFEST, bytes],
    [SIGNATURE, signBytes(bytes, secret)],
    [MINISIG, Buffer.from(minisignFile(bytes, secret, comment))],
    ...files,
  ]);
}
