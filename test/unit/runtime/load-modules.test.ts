// The modules of owners' pages are loaded one after the other, while a gateway answers displays.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadFileByFile } from '../../../gateway/runtime/load-modules.ts';
import { fileFolder } from '../../support/folder.ts';

/** Each notes that it was run. */
const FILES = {
  'gateway.js': ["import { shared } from './shared.js';", 'export const gateway = shared;'],
  'owners.js': ["import { page } from './page.js';", 'export const owners = page;'],
  'page.js': [
    "import { shared } from './shared.js';",
    'import {',
    '  form,',
    "} from './form.js';",
    'export const page = [shared, form];',
  ],
  'form.js': ['export const form = 1;'],
  'shared.js': ['export const shared = 1;'],
};

test('loadFileByFile runs what is missing, each file behind its imports, and others between', async () => {
  const folder = await fileFolder();
  const told: string[] = [];
  Object.assign(globalThis, { lavagnaLoaded: told });
  for (const [name, lines] of Object.entries(FILES)) {
    const text = [...lines, `globalThis.lavagnaLoaded.push('${name}');`].join('\n');
    await writeFile(join(folder, name), text);
  }
  let isOver = false;
  const other = () => {
    if (told.at(-1) !== 'other') told.push('other');
    if (!isOver) setImmediate(other);
  };
  const urlOf = (name: string) => pathToFileURL(join(folder, name));
  await import(urlOf('gateway.js').href);
  told.length = 0;
  other();
  await loadFileByFile(urlOf('owners.js'), urlOf('gateway.js'));
  isOver = true;
  const ran = ['other', 'form.js', 'other', 'page.js', 'other', 'owners.js', 'other'];
  assert.deepEqual(told, ran);
});
