import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { once } from '../../db/runtime/memoize.ts';
import type { Theme } from '../../db/schema/theme.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
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
  // Few restaurants use them all: a file is read when somebody asks for it.
  const asset = once(() => {
    const content = readFileSync(join(packageOf(folder), 'files', file));
    return createPackedAsset('font/woff2', content, readPackage(folder).version);
  });
  return [file, { version: '', read: (version) => asset().read(version) }];
}

/** The files of our fonts by their names. */
export const fontAssets: ReadonlyMap<string, Asset> = new Map(
  FONTS.flatMap(({ folder }) => filesOf(folder).map(({ file }) => fontAsset(folder, file))),
);

interface ScriptFonts {
  locales: readonly Locale[];
  /** Those of Apple's systems, of Windows, and of Android and Linux. */
  serif: readonly string[];
  sans: readonly string[];
}

const LETTERS: Omit<ScriptFonts, 'locales'> = {
  serif: ['Georgia', 'Noto Serif'],
  sans: ['Helvetica Neue', 'Segoe UI', 'Roboto', 'Noto Sans'],
};

/** Fonts of guests' own devices, by the languages whose letters the fonts of themes mostly lack. */
const SCRIPTS: readonly ScriptFonts[] = [
  { locales: ['el', 'bg', 'ru', 'uk', 'sr', 'mk'], ...LETTERS },
  {
    locales: ['ar', 'fa', 'ur'],
    serif: ['Noto Naskh Arabic', 'Geeza Pro', 'Sakkal Majalla', 'Times New Roman'],
    sans: ['SF Arabic', 'Geeza Pro', 'Segoe UI', 'Noto Sans Arabic'],
  },
  {
    locales: ['he'],
    serif: ['New Peninim MT', 'David', 'Noto Serif Hebrew'],
    sans: ['SF Hebrew', 'Arial Hebrew', 'Segoe UI', 'Noto Sans Hebrew'],
  },
  {
    locales: ['hi'],
    serif: ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Serif Devanagari'],
    sans: ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari'],
  },
  {
    locales: ['th'],
    serif: ['Thonburi', 'Leelawadee UI', 'Noto Serif Thai'],
    sans: ['Thonburi', 'Leelawadee UI', 'Noto Sans Thai'],
  },
  {
    locales: ['hy'],
    serif: ['Mshtakan', 'Sylfaen', 'Noto Serif Armenian'],
    sans: ['SF Armenian', 'Segoe UI', 'Noto Sans Armenian'],
  },
  {
    locales: ['ka'],
    serif: ['Sylfaen', 'Noto Serif Georgian'],
    sans: ['SF Georgian', 'Segoe UI', 'Noto Sans Georgian'],
  },
  {
    locales: ['zh-Hans'],
    serif: ['Songti SC', 'SimSun', 'Noto Serif CJK SC', 'Noto Serif SC'],
    sans: ['PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC'],
  },
  {
    locales: ['zh-Hant'],
    serif: ['Songti TC', 'PMingLiU', 'Noto Serif CJK TC', 'Noto Serif TC'],
    sans: ['PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC'],
  },
  {
    locales: ['ja'],
    serif: ['Hiragino Mincho ProN', 'Yu Mincho', 'Noto Serif CJK JP', 'Noto Serif JP'],
    sans: ['Hiragino Sans', 'Yu Gothic', 'Meiryo', 'Noto Sans CJK JP', 'Noto Sans JP'],
  },
  {
    locales: ['ko'],
    serif: ['AppleMyungjo', 'Batang', 'Noto Serif CJK KR', 'Noto Serif KR'],
    sans: ['Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR'],
  },
];

/**
 * Rules that look for the letters of some languages in fonts of the guest's device, after the theme's
 * own and before the browser's choice. Menus without such a language get none.
 *
 * @param stack a value of `font-family`, with a generic family
 */
export function scriptFontRules(stack: string, locales: readonly Locale[]): string {
  const families = stack.split(', ');
  const own = families.filter((name) => name.startsWith("'"));
  const generic = families.slice(own.length);
  const kind = generic.some((name) => /^(ui-)?serif$/.test(name)) ? 'serif' : 'sans';
  const rules = SCRIPTS.flatMap((script) => {
    const spoken = script.locales.filter((locale) => locales.includes(locale));
    if (spoken.length === 0) return [];
    const places = spoken.map((locale) => `[lang='${locale}'][lang]`).join(', ');
    const names = script[kind].map((name) => `'${name}'`);
    return [`${places} {\n  font-family: ${[...own, ...names, ...generic].join(', ')};\n}\n`];
  });
  return rules.join('');
}
