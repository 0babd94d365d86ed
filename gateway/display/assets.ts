import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certain } from '../../db/runtime/certain.ts';
import { once } from '../../db/runtime/memoize.ts';
import { type Asset, createFileAsset, versionOf } from '../http/asset.ts';

// The page's files for the oldest browsers that run them: Chromium 63 and Safari 12. Syntax and rules
// of style that are younger are put in older words. Functions that these browsers lack, the files do
// without: `test/unit/display/older-browsers.test.ts` names it.

const require = createRequire(import.meta.url);
const CHROME = 63;
const SAFARI = 12;

const target = [`chrome${CHROME}`, `safari${SAFARI}`];
/** Safari 12 has it but for a rare case, which made the compiler's list say that it has not. */
const supported = { destructuring: true };

const { dependencies } = require('../../package.json');
/** Changes whenever files may be built otherwise than before. */
const builder = [
  ...['esbuild', 'lightningcss', 'fflate', '@noble/ed25519'].map((name) => dependencies[name]),
  ...[CHROME, SAFARI],
].join('/');

/** The options with which all scripts are built, whatever the browsers. */
const bundled = {
  bundle: true,
  write: false,
  charset: 'utf8',
  minify: true,
  supported,
  logLevel: 'silent',
} as const;

/**
 * Builds scripts, each with the modules that it imports; those that it loads later stay files of their
 * own. The compilers take memory and a tenth of a second, so that they are loaded when a file is first
 * asked for.
 *
 * @returns their texts by the files' names
 */
function buildScripts(names: string[], browsers: string[], later: string[] = []) {
  const { buildSync }: typeof import('esbuild') = require('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: names.map((name) => fileURLToPath(new URL(name, folder))),
    ...{ ...bundled, format: 'esm', target: browsers },
    external: later.map((name) => `./${name}`),
    ...{ outdir: '/', entryNames: '[name]' },
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  );
}

/** A script with all that it imports. Ed25519 needs large integers, which Chromium has since 67. */
function buildImporter(): Buffer {
  const built = buildScripts([IMPORTER], ['chrome67', 'safari14']);
  return certain(built.get(IMPORTER), `${IMPORTER} was not built`);
}

/** The page's script as one without modules, for a document that is opened from a file. */
export async function buildCarriedScript(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('display.js', folder))],
    ...{ ...bundled, format: 'iife', target },
  });
  return outputFiles?.[0]?.text ?? '';
}

/** Distances at the beginning and end of lines as Chromium before 69 names them. */
const FORMER_NAMES = /^(\s*)(margin|padding)-inline-(start|end): .*$/gm;

/**
 * Builds a stylesheet. Distances of lines keep their names: the compiler would put them in words that
 * outweigh other rules, and ask for the language.
 */
function buildSheet(name: string, text: string): Buffer {
  const { Features, transform }: typeof import('lightningcss') = require('lightningcss');
  const named = text.replace(FORMER_NAMES, (line) =>
    line.replace(/(margin|padding)-inline-(start|end)/, '-webkit-$1-$2').concat('\n', line),
  );
  const { code } = transform({
    filename: name,
    code: Buffer.from(named),
    minify: true,
    exclude: Features.LogicalProperties,
    targets: { chrome: CHROME << 16, safari: SAFARI << 16 },
  });
  return Buffer.from(code);
}

const folder = new URL('./page/', import.meta.url);

/** A5 and smaller, by the sheet of the printer or by the one that was chosen. */
const SMALL_SHEETS = 'print and (max-width: 160mm)';
const SMALL_ROOT = ':root:is([data-size="a5"], [data-size="a6"])';

/** All stylesheets of the page in their order, for one address; on paper only some of them count. */
const SHEETS: [name: string, media?: string][] = [
  ['display.css'],
  ['photos.css'],
  ['visit.css'],
  ['bar.css', 'screen'],
  ['headers.css', 'screen'],
  ['layouts.css', 'screen'],
  ['older.css', 'screen'],
  ['print.css'],
  ['print-small.css', SMALL_SHEETS],
  ['forced-colors.css'],
];
/** The page as paper alone, which the panel shows before it is printed. */
const PAPER = 'paper.css';
/** For walls, and for wide windows that may become one. */
const SCREEN = 'screen.css';
/** Stylesheets that stand alone: for browsers without script, drafts in the panel, and letters. */
const OTHERS = ['no-script.css', 'preview.css', 'pair.css', 'list.css'];
/** Runs outside the page. */
const WORKER = 'worker.js';

function sheetText([name, media]: [name: string, media?: string]): string {
  const text = readFileSync(new URL(name, folder), 'utf8');
  if (media !== SMALL_SHEETS) return media === undefined ? text : `@media ${media} {\n${text}}\n`;
  return `@media ${media} {\n:root {\n${text}}\n}\n@media print {\n${SMALL_ROOT} {\n${text}}\n}\n`;
}

/** The rules for paper, for a screen, and those that lay sheets side by side there. */
function paperText(): string {
  const ofPaper = SHEETS.filter(([, media]) => media !== 'screen');
  const text = ofPaper.map(sheetText).join('');
  const forAll = text
    .replaceAll('@media print {', '@media all {')
    .replaceAll('@media not print {', '@media not all {');
  return forAll + sheetText(['sheet.css', 'screen']);
}

const sheets = new Map([
  ['display.css', SHEETS.map(sheetText).join('')],
  [SCREEN, sheetText([SCREEN, 'screen'])],
  [PAPER, paperText()],
  ...OTHERS.map((name) => [name, sheetText([name])] as const),
]);

/** Takes a menu from a stick; it brings what it imports along. */
export const IMPORTER = 'importer.js';

/** Scripts that the page loads when it needs them, each with what it imports. */
const LATER = ['list.js', 'on-screen.js', 'carried.js', 'placeholders.js', 'paper.js'];
const SCRIPTS = ['display.js', 'renew.js', 'refresh.js', 'pair.js', WORKER, ...LATER];

/** All files that go into them. */
const sources = [
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.js') && name !== IMPORTER)
    .sort()
    .map((name) => new URL(name, folder)),
  // The page searches and forgives slips as the API does, and its filter judges dishes alike.
  ...['fold.js', 'forgiving.js', 'avoid.js'].map(
    (name) => new URL(`../search/${name}`, import.meta.url),
  ),
  // Workers judge by the same hours.
  ...['opening.js', 'served.js'].map((name) => new URL(`../../db/hours/${name}`, import.meta.url)),
  // Workers make the placeholders of photos by the same package.
  new URL(import.meta.resolve('thumbhash')),
];
const nameOf = (file: URL) => file.pathname.slice(file.pathname.lastIndexOf('/') + 1);
const importerParts = [
  new URL(IMPORTER, folder),
  ...['verify.js', 'unzip.js'].map((name) => new URL(`../../db/bundle/${name}`, import.meta.url)),
];

/** Changes whenever one of the files does, so that a page never mixes those of two releases. */
export const pageVersion = versionOf(
  builder,
  ...[...sheets].flat(),
  ...sources.flatMap((file) => [nameOf(file), readFileSync(file)]),
  ...importerParts.map((file) => readFileSync(file)),
);

/** The address of a file. */
export const at = (version: string, name: string) => `/display/${version}/${name}`;

/** Those that a screen and a page with photos need at once: browsers can ask for them early. */
export const screenModules = ['on-screen.js', 'carried.js'];
export const photoModules = ['placeholders.js'];

/** The files of a guest's list, which load when a dish is opened: copies for outages have them. */
export const listFiles = ['list.js', 'list.css'];

const builtScripts = once(() => buildScripts(SCRIPTS, target, LATER));
const scriptText = (name: string) => certain(builtScripts().get(name), `${name} was not built`);

function scriptAsset(name: string): Asset {
  // The worker looks after the page above its own folder, too.
  const headers = name === WORKER ? { 'Service-Worker-Allowed': '/' } : {};
  return createFileAsset('text/javascript', () => scriptText(name), pageVersion, headers);
}

/** The files of the page by their names. */
export const pageAssets: ReadonlyMap<string, Asset> = new Map([
  ...[...sheets].map(([name, text]) => {
    const asset = createFileAsset('text/css', () => buildSheet(name, text), pageVersion);
    return [name, asset] as const;
  }),
  ...SCRIPTS.map((name) => [name, scriptAsset(name)] as const),
  [IMPORTER, createFileAsset('text/javascript', buildImporter, pageVersion)],
]);
