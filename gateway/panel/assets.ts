import { readFileSync } from 'node:fs';
import { createFileAsset } from '../http/asset.ts';

function join(folder: string, names: readonly string[]): Buffer {
  return Buffer.concat(
    names.map((name) => readFileSync(new URL(`./${folder}/${name}`, import.meta.url))),
  );
}

/** The stylesheets: of all pages, of those before sign-in, and of those after it. */
export const panelStyles = createFileAsset('text/css', join('css', ['panel.css', 'languages.css']));
export const signInCss = createFileAsset('text/css', join('css', ['sign-in.css']));
export const deskCss = createFileAsset(
  'text/css',
  join('css', [
    'desk.css',
    'navigation.css',
    'tokens.css',
    'forms.css',
    'dish.css',
    'menu.css',
    'pages.css',
    'parts.css',
    'import.css',
    'preview.css',
    'photos.css',
    'service.css',
    'translations.css',
    'law.css',
    'print.css',
  ]),
);
/** The one script; the pages work without it. */
export const panelJs = createFileAsset(
  'text/javascript',
  join('script', [
    'panel.js',
    'rules.js',
    'rows.js',
    'leaving.js',
    'photos.js',
    'sort.js',
    'preview.js',
    'service.js',
    'late.js',
    'outbox.js',
    'passkeys.js',
    'passwords.js',
    'print.js',
    'begun.js',
  ]),
);
