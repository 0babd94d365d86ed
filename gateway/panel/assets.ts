import { readFileSync } from 'node:fs';
import { createAsset } from './pages/asset.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The stylesheet of every restaurant's panel. */
export const panelCss = createAsset('/admin/panel.css', 'text/css', read('./panel.css'));
/** The one script: it copies a new token's value. */
export const copyJs = createAsset('/admin/copy.js', 'text/javascript', read('./copy.js'));
