import { readdirSync, readFileSync } from 'node:fs';
import { type Asset, createFileAsset, versionOf } from '../http/asset.ts';
import { builder, buildScripts, buildSheet } from './older-browsers.ts';

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
const OTHERS = ['no-script.css', 'preview.css', 'pair.css'];
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

const scripts = [
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
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

/** Changes whenever one of the files does, so that a page never mixes those of two releases. */
export const pageVersion = versionOf(
  builder,
  ...[...sheets].flat(),
  ...scripts.flatMap((file) => [nameOf(file), readFileSync(file)]),
);

/** The address of a file. */
export const at = (version: string, name: string) => `/display/${version}/${name}`;

/** Scripts that no module of a guest's page imports. */
const STARTED = /^(worker|renew|display|refresh)\.js$/;
const ON_SCREEN =
  /^(on-screen|screen-settings|slides|pages|shown-dishes|wall|way-out|element)\.js$/;
const OF_PHOTOS = /^(placeholders|thumbhash)\.js$/;
const imported = scripts.map(nameOf).filter((name) => !STARTED.test(name));

/** The modules that `display.js` imports: browsers can ask for all of them at once. */
export const pageModules = imported.filter(
  (name) => !ON_SCREEN.test(name) && !OF_PHOTOS.test(name),
);
/** Those that it imports on a screen alone. */
export const screenModules = imported.filter((name) => ON_SCREEN.test(name));
/** Those that it imports where there are photos alone. */
export const photoModules = imported.filter((name) => OF_PHOTOS.test(name));

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
]);
