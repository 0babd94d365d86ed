// Opens a bundle, or says why not: the same in a screen's browser and on the command line.

export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';
export const MINISIG = 'manifest.json.minisig';
const OWN = [MANIFEST, SIGNATURE, MINISIG];
/** Length of a key as minisign writes it: two letters, the key's id and the key. */
export const MINISIGN_KEY_BYTES = 42;
const ID_BEGIN = 2;
const KEY_BEGIN = 10;
/** Most bytes of all files, unpacked. */
export const MAX_UNPACKED = 50_000_000;

/** A bundle that is not to be trusted; `reason` names why. */
export class RefusedBundle extends Error {
  constructor(reason) {
    super(`the bundle is refused: ${reason}`);
    this.name = 'RefusedBundle';
    this.reason = reason;
  }
}

const refuse = (reason) => {
  throw new RefusedBundle(reason);
};

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A public key as minisign writes it; null for another text. */
export function readKey(text) {
  let raw;
  try {
    raw = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
  if (raw.length !== MINISIGN_KEY_BYTES || raw[0] !== 0x45 || raw[1] !== 0x64) return null;
  const id = hex(raw.slice(ID_BEGIN, KEY_BEGIN).reverse()).toUpperCase();
  return { id, publicKey: raw.slice(KEY_BEGIN) };
}

const isPlainPath = (path) =>
  /^[\w.-]+(\/[\w.-]+)*$/.test(path) && !path.split('/').some((part) => /^\.+$/.test(part));

/** Looks at the names and sizes before anything is unpacked. */
function checkEntries(entries) {
  const names = new Set();
  let bytes = 0;
  for (const { name, size, packed } of entries) {
    if (names.has(name)) refuse('doubled');
    names.add(name);
    if (!isPlainPath(name)) refuse('path');
    bytes += Math.max(size, packed);
    if (bytes > MAX_UNPACKED) refuse('tooLarge');
  }
  if (!names.has(MANIFEST) || !names.has(SIGNATURE)) refuse('unsigned');
}

function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** Nothing of the manifest is believed before one of the trusted keys has signed its bytes. */
async function readManifest(files, keys, { verify }) {
  const known = keys.map(readKey).filter(Boolean);
  for (const { publicKey } of known) {
    if (await verify(files[SIGNATURE], files[MANIFEST], publicKey)) return parse(files[MANIFEST]);
  }
  const named = parse(files[MANIFEST]);
  return refuse(known.some(({ id }) => named && id === named.key_id) ? 'signature' : 'key');
}

const isText = (value) => typeof value === 'string';
const isMoment = (value) => isText(value) && !Number.isNaN(Date.parse(value));

function checkForm(manifest) {
  const { format, restaurant, version, made_at, expires_at, files } = manifest || {};
  const isKnown =
    format === 1 &&
    isText(restaurant) &&
    Number.isInteger(version) &&
    isMoment(made_at) &&
    isMoment(expires_at) &&
    Array.isArray(files) &&
    files.every((one) => one && isText(one.path) && isText(one.sha256));
  if (!isKnown) refuse('format');
}

async function checkFiles(files, listed, { sha256 }) {
  const byPath = new Map(listed.map((one) => [one.path, one]));
  if (byPath.size < listed.length) refuse('doubled');
  for (const path of Object.keys(files)) {
    if (!OWN.includes(path) && !byPath.has(path)) refuse('unlisted');
  }
  for (const { path, bytes, sha256: digest } of listed) {
    const content = files[path];
    if (OWN.includes(path) || !content) refuse('missing');
    if (content.length !== bytes || (await sha256(content)) !== digest) refuse('changed');
  }
}

/** Whether a bundle is older than the menu that is shown. */
function isOlder({ version, made_at }, shown) {
  if (version !== shown.version) return version < shown.version;
  return Date.parse(made_at) < Date.parse(shown.made_at);
}

/**
 * Opens a bundle. One that has expired opens, too: a menu with its date is better than none.
 *
 * @param trust `keys`: the trusted ones. It may have `restaurant`, a slug, and `shown`: the version that is
 *   shown and when it was made.
 * @param means the ways to unpack and to check that this place has
 * @throws RefusedBundle
 */
export async function openBundle(bytes, { keys, restaurant, shown }, means) {
  let files;
  try {
    checkEntries(means.list(bytes));
    files = means.unpack(bytes);
  } catch (error) {
    throw error instanceof RefusedBundle ? error : new RefusedBundle('broken');
  }
  const manifest = await readManifest(files, keys, means);
  checkForm(manifest);
  if (restaurant !== undefined && manifest.restaurant !== restaurant) refuse('restaurant');
  await checkFiles(files, manifest.files, means);
  if (shown && isOlder(manifest, shown)) refuse('older');
  return { manifest, files };
}
