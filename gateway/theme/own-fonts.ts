import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Theme } from '../../db/schema/theme.ts';
import { type Asset, createPackedAsset } from '../http/asset.ts';

/** A font whose files we serve ourselves, so that no guest's phone asks another server for it. */
interface OwnFont {
  name: string;
  /** Its package below `@fontsource-variable`. */
  folder: string;
  generic: 'serif' | 'sans-serif';
  /** The least and the greatest weight. */
  weights: readonly [number, number];
}

const FONTS: readonly OwnFont[] = [
  { name: 'Lora', folder: 'lora', generic: 'serif', weights: [400, 700] },
  { name: 'EB Garamond', folder: 'eb-garamond', generic: 'serif', weights: [400, 800] },
  { name: 'Playfair Display', folder: 'playfair-display', generic: 'serif', weights: [400, 900] },
  { name: 'Source Sans 3', folder: 'source-sans-3', generic: 'sans-serif', weights: [200, 900] },
  { name: 'Nunito', folder: 'nunito', generic: 'sans-serif', weights: [200, 1000] },
  { name: 'Josefin Sans', folder: 'josefin-sans', generic: 'sans-serif', weights: [100, 700] },
];

/** The fonts that a form offers: a value of `font_family`, and its name. */
export const FONT_CHOICES = [
  ...FONTS.map(({ name, generic }) => ({ value: `${name}, ${generic}`, label: name })),
  { value: 'Georgia, serif', label: 'Georgia' },
  { value: 'Verdana, sans-serif', label: 'Verdana' },
];

/** The alphabets of menus; a browser loads the files of those alone that a page has signs of. */
const SUBSETS = ['latin', 'latin-ext', 'greek', 'cyrillic'];
const FILE = /^[\w-]+?-(latin-ext|latin|greek|cyrillic)-wght-(normal|italic)\.woff2$/;

const require = createRequire(import.meta.url);
const packageOf = (folder: string) =>
  dirname(require.resolve(`@fontsource-variable/${folder}/package.json`));

function readPackage(folder: string): { version: string; ranges: Record<string, string> } {
  const read = (name: string) => JSON.parse(readFileSync(join(packageOf(folder), name), 'utf8'));
  return { version: read('package.json').version, ranges: read('unicode.json') };
}

/** The files of a font with its alphabet and its style. */
function filesOf(folder: string) {
  return readdirSync(join(packageOf(folder), 'files')).flatMap((file) => {
    const [, subset = '', style = ''] = FILE.exec(file) ?? [];
    return SUBSETS.includes(subset) ? [{ file, subset, style }] : [];
  });
}

/** Our font that a theme's `font_family` begins with. */
function ownFont(fontFamily: string): OwnFont | undefined {
  const first = fontFamily.split(',')[0]?.replace(/['"]/g, '').trim().toLowerCase();
  return FONTS.find(({ name }) => name.toLowerCase() === first);
}

/** The folder of the font in which pictures have a theme's texts: its own, or the most like it. */
export function drawnFont(fontFamily: string): string {
  const isPlain = /sans|verdana|arial|system-ui/i.test(fontFamily);
  return ownFont(fontFamily)?.folder ?? (isPlain ? 'source-sans-3' : 'lora');
}

/**
 * The rules by which a browser finds the files of a theme's font; none when it is not ours. A font that
 * comes late is for the next visit: nothing that was shown moves.
 */
export function fontFaces({ font_family }: Pick<Theme, 'font_family'>): string {
  const font = ownFont(font_family);
  if (!font) return '';
  const { folder, name, weights } = font;
  const { version, ranges } = readPackage(folder);
  const faces = filesOf(folder).map(
    ({ file, subset, style }) => `@font-face {
  font-family: '${name}';
  font-style: ${style};
  font-weight: ${weights.join(' ')};
  font-display: optional;
  src: url('/display/${version}/${file}') format('woff2');
  unicode-range: ${ranges[subset]};
}
`,
  );
  return faces.join('');
}

function fontAsset(folder: string, file: string): [string, Asset] {
  let asset: Asset | undefined;
  const read: Asset['read'] = (version) => {
    // Few restaurants use them all: a file is read when somebody asks for it.
    asset ??= createPackedAsset(
      'font/woff2',
      readFileSync(join(packageOf(folder), 'files', file)),
      readPackage(folder).version,
    );
    return asset.read(version);
  };
  return [file, { version: '', read }];
}

/** The files of our fonts by their names. */
export const fontAssets: ReadonlyMap<string, Asset> = new Map(
  FONTS.flatMap(({ folder }) => filesOf(folder).map(({ file }) => fontAsset(folder, file))),
);
