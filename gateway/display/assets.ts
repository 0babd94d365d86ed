import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/**
 * Builds scripts; their imports stay as they are. The compilers take memory and a tenth of a second, so
 * that they are loaded when a file is first asked for.
 *
 * @returns their texts by the files' names
 */
function buildScripts(files: readonly URL[]): ReadonlyMap<string, Buffer> {
  const { buildSync }: typeof import('esbuild') = require('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: files.map((file) => fileURLToPath(file)),
    bundle: false,
    write: false,
    format: 'esm',
    charset: 'utf8',
    outdir: '/',
    entryNames: '[name]',
    target,
    supported,
    logLevel: 'silent',
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  );
}

/** A script with all that it imports. Ed25519 needs large integers, which Chromium has since 67. */
function buildImporter(): Buffer {
  const { buildSync }: typeof import('esbuild') = require('esbuild');
  const [file] = buildSync({
    entryPoints: [fileURLToPath(new URL(IMPORTER, folder))],
    ...{ bundle: true, write: false, format: 'esm', charset: 'utf8', minify: true },
    target: ['chrome67', 'safari14'],
    supported,
    logLevel: 'silent',
  }).outputFiles;
  if (!file) throw new Error(`${IMPORTER} was not built`);
  return Buffer.from(file.contents);
}

/** The page's script as one without modules, for a document that is opened from a file. */
export async function buildCarriedScript(): Promise<string> {
  const { build } = await import('esbuild');
  const byName = new Map(scripts.map((file) => [`./${nameOf(file)}`, fileURLToPath(file)]));
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('display.js', folder))],
    ...{ bundle: true, write: false, format: 'iife', charset: 'utf8', minify: true },
    target,
    supported,
    logLevel: 'silent',
    plugins: [
      {
        name: 'names of the page',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\// }, ({ path }) => {
            const known = byName.get(path);
            return known === undefined ? undefined : { path: known };
          }),
      },
    ],
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
    exclude: Features.LogicalProperties,
    targets: { chrome: CHROME << 16, safari: SAFARI << 16 },
  });
  return Buffer.from(code);
}

const folder = new URL('./page/', import.meta.url);

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
  ['forced-colors.css'],
];
/** For walls, and for wide windows that may become one. */
const SCREEN = 'screen.css';
/** Stylesheets that stand alone: for browsers without script, drafts in the panel, and letters. */
const OTHERS = ['no-script.css', 'preview.css', 'pair.css', 'list.css'];
/** Runs outside the page. */
const WORKER = 'worker.js';

function sheetText([name, media]: [name: string, media?: string]): string {
  const text = readFileSync(new URL(name, folder), 'utf8');
  return media === undefined ? text : `@media ${media} {\n${text}}\n`;
}

const sheets = new Map([
  ['display.css', SHEETS.map(sheetText).join('')],
  [SCREEN, sheetText([SCREEN, 'screen'])],
  ...OTHERS.map((name) => [name, sheetText([name])] as const),
]);

/** Takes a menu from a stick; it brings what it imports along. */
export const IMPORTER = 'importer.js';

const scripts = [
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
  ...scripts.flatMap((file) => [nameOf(file), readFileSync(file)]),
  ...importerParts.map((file) => readFileSync(file)),
);

/** The address of a file. */
export const at = (version: string, name: string) => `/display/${version}/${name}`;

/** Scripts that no module of a guest's page imports. */
const STARTED = /^(worker|renew|display|refresh)\.js$/;
const ON_SCREEN =
  /^(on-screen|screen-settings|slides|pages|shown-dishes|wall|way-out|element|carried|stick)\.js$/;
const OF_PHOTOS = /^(placeholders|thumbhash)\.js$/;
const OF_LIST = /^(list|list-prices)\.js$/;
const imported = scripts.map(nameOf).filter((name) => !STARTED.test(name));

/** The modules that `display.js` imports: browsers can ask for all of them at once. */
export const pageModules = imported.filter(
  (name) => !ON_SCREEN.test(name) && !OF_PHOTOS.test(name) && !OF_LIST.test(name),
);
/** Those that it imports on a screen alone. */
export const screenModules = imported.filter((name) => ON_SCREEN.test(name));
/** Those that it imports where there are photos alone. */
export const photoModules = imported.filter((name) => OF_PHOTOS.test(name));

/** The files of a guest's list, which load when a dish is opened: copies for outages have them. */
export const listFiles = [
  ...imported.filter((name) => OF_LIST.test(name)),
  'element.js',
  'list.css',
];

let built: ReadonlyMap<string, Buffer> | undefined;
function scriptText(name: string): Buffer {
  built ??= buildScripts(scripts);
  const text = built.get(name);
  if (!text) throw new Error(`${name} was not built`);
  return text;
}

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
  ...scripts.map((file) => [nameOf(file), scriptAsset(nameOf(file))] as const),
  [IMPORTER, createFileAsset('text/javascript', buildImporter, pageVersion)],
]);
