// `node --import tsx test/tools/bundle-vectors.ts`: makes the bundles of `test/vectors/bundles/` anew, each
// with the right answer to it. All know the key: no screen trusts it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import {
  type BundleSecrets,
  packInSteps,
  type Unsigned,
  zipInSteps,
} from '../../db/bundle/pack.ts';
import { publicKeyOf } from '../../db/bundle/signing.ts';
import { MANIFEST } from '../../db/bundle/verify.js';
import { inOneGo } from '../../db/runtime/in-slices.ts';

const folder = join(import.meta.dirname, '../vectors/bundles');
const own: BundleSecrets = { secret: Buffer.alloc(32, 1), next_secret: null };
const next: BundleSecrets = { secret: Buffer.alloc(32, 2), next_secret: null };
const other: BundleSecrets = { secret: Buffer.alloc(32, 3), next_secret: null };

const about: Unsigned = {
  ...{ restaurant: 'trattoria', screen: 2, version: 42 },
  ...{ made_at: '2026-11-28T12:00:00Z', expires_at: '2099-12-28T12:00:00Z' },
};
const page = Buffer.from('<!doctype html><title>Trattoria</title><img src="/media/a.jpeg" alt="">');
const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const files = new Map([
  ['screen/it.html', page],
  ['media/a.jpeg', picture],
]);

const pack = (given: Partial<Unsigned> = {}, secrets = own) =>
  inOneGo(packInSteps({ ...about, ...given }, files, secrets));

const right = pack();

/** A bundle whose files are changed after they were signed. */
function altered(change: (files: Record<string, Uint8Array>) => void): Buffer {
  const content = unzipSync(right);
  change(content);
  return inOneGo(zipInSteps(Object.entries(content)));
}

const manifestOf = (text: string) => (content: Record<string, Uint8Array>) => {
  const bytes = content[MANIFEST] ?? Buffer.of();
  content[MANIFEST] = Buffer.from(Buffer.from(bytes).toString().replace('"version": 42', text));
};
const entries = Object.entries(unzipSync(right));
/** Says in the ZIP's lists that a file is shorter than it is. */
function lying(): Buffer {
  const zip = Buffer.from(
    zipSync({ ...unzipSync(right), 'media/b.jpeg': Buffer.alloc(9_000_000) }),
  );
  const long = Buffer.alloc(4);
  long.writeUInt32LE(9_000_000);
  for (let at = zip.indexOf(long); at >= 0; at = zip.indexOf(long, at + 1))
    zip.writeUInt32LE(9, at);
  return zip;
}

const vectors: [name: string, bytes: Buffer, result: string][] = [
  ['right', right, 'opens'],
  ['next-key', pack({}, { ...own, next_secret: next.secret }), 'opens'],
  [
    'expired',
    pack({ version: 43, made_at: '2026-01-01T12:00:00Z', expires_at: '2026-01-31T12:00:00Z' }),
    'opens',
  ],
  ['older', pack({ version: 41 }), 'older'],
  ['other-restaurant', pack({ restaurant: 'pizzeria' }), 'restaurant'],
  ['wrong-key', pack({}, other), 'key'],
  ['altered-manifest', altered(manifestOf('"version": 43')), 'signature'],
  [
    'altered-picture',
    altered((content) => {
      const changed = Buffer.from(picture);
      changed.writeUInt8(1, 9);
      content['media/a.jpeg'] = changed;
    }),
    'changed',
  ],
  [
    'unlisted-file',
    altered((content) => {
      content['display/evil.js'] = Buffer.from('alert(1)');
    }),
    'unlisted',
  ],
  [
    'missing-file',
    altered((content) => {
      delete content['media/a.jpeg'];
    }),
    'missing',
  ],
  [
    'unsigned',
    altered((content) => {
      delete content['manifest.sig'];
    }),
    'unsigned',
  ],
  ['doubled-names', inOneGo(zipInSteps([...entries, ['media/a.jpeg', picture]])), 'doubled'],
  ['way-out', inOneGo(zipInSteps([...entries, ['../evil.html', page]])), 'path'],
  [
    'bomb',
    Buffer.from(zipSync({ ...unzipSync(right), 'media/b.jpeg': Buffer.alloc(50_000_000) })),
    'tooLarge',
  ],
  ['lying-bomb', lying(), 'unlisted'],
  ['cut', right.subarray(0, 900), 'broken'],
];

for (const [name, bytes] of vectors) writeFileSync(join(folder, `${name}.lavagna`), bytes);
const index = {
  restaurant: about.restaurant,
  shown: { version: about.version, made_at: about.made_at },
  key: publicKeyOf(own.secret).text,
  results: Object.fromEntries(vectors.map(([name, , result]) => [name, result])),
};
writeFileSync(join(folder, 'results.json'), `${JSON.stringify(index, null, 2)}\n`);
console.log(`${vectors.length} bundles in ${folder}`);
