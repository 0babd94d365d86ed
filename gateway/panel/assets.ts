import { readFileSync } from 'node:fs';
import { createAsset } from './pages/asset.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The stylesheets: of all pages, of those before sign-in, and of those after it. */
export const panelCss = createAsset('/admin/panel.css', 'text/css', read('./panel.css'));
export const doorCss = createAsset('/admin/door.css', 'text/css', read('./door.css'));
export const deskCss = createAsset('/admin/desk.css', 'text/css', read('./desk.css'));
/** The one script: it copies a new token's value. */
export const copyJs = createAsset('/admin/copy.js', 'text/javascript', read('./copy.js'));
