import { readFileSync } from 'node:fs';
import { createFileAsset } from '../http/asset.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The stylesheets: of all pages, of those before sign-in, and of those after it. */
export const panelCss = createFileAsset('text/css', read('./panel.css'));
export const signInCss = createFileAsset('text/css', read('./sign-in.css'));
export const deskCss = createFileAsset('text/css', read('./desk.css'));
/** The one script; the pages work without it. */
export const panelJs = createFileAsset('text/javascript', read('./panel.js'));
