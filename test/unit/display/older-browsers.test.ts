// The page's files as its oldest browsers get them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageAssets, pageVersion } from '../../../gateway/display/assets.ts';

const texts = new Map(
  [...pageAssets].map(([name, asset]) => {
    const { body } = asset.read(pageVersion).identity;
    return [name, Buffer.from(body as Uint8Array).toString()];
  }),
);

/** Things that Chromium 63 or Safari 12 lack. */
const MISSING: Record<string, RegExp> = {
  'optional chaining': /[\w)\]]\?\.[\w([]/,
  'nullish coalescing': /\?\?/,
  'a catch without a name': /catch \{/,
  'Array.flat, flatMap, at, findLast': /\.(?:flat|flatMap|at|findLast|toSorted|toReversed)\(/,
  'Object.fromEntries, groupBy': /\.(?:fromEntries|groupBy)\(/,
  'String.matchAll, replaceAll, trimEnd': /\.(?:matchAll|replaceAll|trimEnd|trimStart)\(/,
  'Promise.allSettled, any': /\.(?:allSettled|withResolvers)\(/,
  'replaceChildren, toggleAttribute': /\.(?:replaceChildren|toggleAttribute)\(/,
  'attributes of ARIA as properties': /\.aria[A-Z]/,
  'classes of Unicode, which a pattern of script cannot have': /\/[^/\n]*\\p\{[^/\n]*\/[a-z]*u/,
  'randomUUID, structuredClone, queueMicrotask': /randomUUID\(|structuredClone\(|queueMicrotask\(/,
  'lists in :not()': /:not\([^)]*[ ,>]/,
};

test('scripts do without syntax and functions that Chromium 63 and Safari 12 lack', () => {
  const found = [...texts]
    .filter(([name]) => name.endsWith('.js'))
    .flatMap(([name, text]) =>
      Object.entries(MISSING)
        .filter(([, pattern]) => pattern.test(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')))
        .map(([what]) => `${name}: ${what}`),
    );
  assert.deepEqual(found, []);
  assert.ok(texts.get('display.js')?.includes('import'), 'modules stay modules');
});
