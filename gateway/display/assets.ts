import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Asset, createFileAsset, versionOf } from '../http/asset.ts';

const folder = new URL('./page/', import.meta.url);
const names = readdirSync(folder).sort();
const read = (name: string) => readFileSync(new URL(name, folder));

/** All stylesheets of the page in their order, for one address; on paper only some of them count. */
const SHEETS: [name: string, media?: string][] = [
  ['display.css'],
  ['photos.css'],
  ['visit.css'],
  ['bar.css', 'screen'],
  ['headers.css', 'screen'],
  ['layouts.css', 'screen'],
  ['print.css'],
  ['forced-colors.css'],
];
/** For walls, and for wide windows that may become one. */
const SCREEN = 'screen.css';
/** For browsers without script. */
const NO_SCRIPT = 'no-script.css';
/** For drafts that the panel shows. */
const PREVIEW = 'preview.css';
/** Runs outside the page. */
const WORKER = 'worker.js';
const modules = names.filter((name) => name.endsWith('.js'));

function sheetText([name, media]: [name: string, media?: string]): string {
  const text = read(name).toString();
  return media === undefined ? text : `@media ${media} {\n${text}}\n`;
}

const contents = new Map<string, Buffer>([
  ['display.css', Buffer.from(SHEETS.map(sheetText).join(''))],
  [SCREEN, Buffer.from(sheetText([SCREEN, 'screen']))],
  [NO_SCRIPT, read(NO_SCRIPT)],
  [PREVIEW, read(PREVIEW)],
  ...modules.map((name) => [name, read(name)] as const),
  // The page's own search folds texts and forgives slips as the API's search does.
  ...['fold.js', 'forgiving.js'].map(
    (name) => [name, readFileSync(new URL(`../search/${name}`, import.meta.url))] as const,
  ),
  // Workers judge by the same hours.
  ...['opening.js', 'served.js'].map(
    (name) => [name, readFileSync(new URL(`../../db/hours/${name}`, import.meta.url))] as const,
  ),
  // And its filter judges dishes as the API's filter does.
  ['avoid.js', readFileSync(new URL('../search/avoid.js', import.meta.url))],
  // Workers make the placeholders of photos by the same package.
  ['thumbhash.js', readFileSync(fileURLToPath(import.meta.resolve('thumbhash')))],
]);

/** Changes whenever one of the files does, so that a page never mixes those of two releases. */
export const pageVersion = versionOf(...[...contents].flat());

/** The address of a file. */
export const at = (version: string, name: string) => `/display/${version}/${name}`;

/** Scripts that no module of a guest's page imports. */
const STARTED = /^(worker|renew|display|refresh)\.js$/;
const ON_SCREEN =
  /^(on-screen|screen-settings|slides|pages|shown-dishes|wall|way-out|element)\.js$/;
const OF_PHOTOS = /^(placeholders|thumbhash)\.js$/;
const imported = [...contents.keys()].filter((name) => name.endsWith('.js') && !STARTED.test(name));

/** The modules that `display.js` imports: browsers can ask for all of them at once. */
export const pageModules = imported.filter(
  (name) => !ON_SCREEN.test(name) && !OF_PHOTOS.test(name),
);
/** Those that it imports on a screen alone. */
export const screenModules = imported.filter((name) => ON_SCREEN.test(name));
/** Those that it imports where there are photos alone. */
export const photoModules = imported.filter((name) => OF_PHOTOS.test(name));

function assetOf(name: string, content: Buffer): Asset {
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
  // The worker looks after the page above its own folder, too.
  const headers = name === WORKER ? { 'Service-Worker-Allowed': '/' } : {};
  return createFileAsset(type, content, pageVersion, headers);
}

/** The files of the page by their names. */
export const pageAssets: ReadonlyMap<string, Asset> = new Map(
  [...contents].map(([name, content]) => [name, assetOf(name, content)]),
);
