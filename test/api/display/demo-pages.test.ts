// The pages of all demo menus: their weight, and what they tell search engines.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { houses, pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { fileFolder } from '../../support/folder.ts';
import { workedService } from '../../support/menu-service.ts';

/** Of everything that a first visit loads, pictures and fonts of other servers aside, in bytes. */
const MOST_BYTES = 48 * 1024;
/** The guest's list: it comes when it is opened, and to the page's worker after the view. */
const OF_LIST = /\/list(-prices)?\.(js|css)$/;
/** Of the head of an answer. */
const HEAD_BYTES = 700;

const root = resolve(import.meta.dirname, '../../..');
const menus = [trattoria, pizzeria, ...houses] as const;

const service = await workedService([trattoria, pizzeria, ...houses]);

async function bytesOf(slug: string, path: string): Promise<number> {
  const headers = { 'Accept-Encoding': 'br' };
  const answer = await service.gateway.client(slug).send(path, { headers });
  assert.equal(answer.status, 200, path);
  return HEAD_BYTES + answer.body.length;
}

test('a first visit to any demo menu loads less than 48 KB, in each of its languages', async () => {
  for (const { slug, settings } of menus) {
    for (const locale of settings.supported_locales) {
      const page = `/?lang=${locale}`;
      const { text } = await service.gateway.client(slug).send(page);
      const named = text.matchAll(/"(\/(?:display\/[^"]+\.(?:css|js)|admin\/icon[^"]+))"/g);
      const all = Array.from(named, ([, file = '']) => file);
      const files = new Set(all.filter((file) => !OF_LIST.test(file)));
      assert.ok(files.size < new Set(all).size, 'no file of the list is named');
      assert.ok(files.size > 4);
      const sizes = await Promise.all(
        [page, ...files, '/display/worker.js'].map((path) => bytesOf(slug, path)),
      );
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(bytes < MOST_BYTES, `${slug} in ${locale}: ${bytes} bytes`);
    }
  }
});

/** Paths of the addresses in a page; those of another host than the restaurant's stay whole. */
function addressesIn(text: string, origin: string): Set<string> {
  const named = text.matchAll(/(?:href|src|data-font)="([^"#]+)|(https?:[^"'<\s#]+)/g);
  const addresses = Array.from(named, ([, relative, absolute]) => relative ?? absolute ?? '');
  return new Set(
    addresses
      // Links of the restaurant to its map and its pages elsewhere load nothing.
      .filter((address) => !/^https:\/\/\w+\.example\//.test(address))
      .filter((address) => !/^(tel|mailto|https:\/\/schema\.org)\b/.test(address))
      .map((address) => (address.startsWith(origin) ? address.slice(origin.length) : address)),
  );
}

test('every address in the page of a demo menu is of its own host and answers 200', async () => {
  for (const { slug } of menus) {
    const client = service.gateway.client(slug);
    const addresses = addressesIn((await client.send('/')).text, `http://${slug}.localhost`);
    assert.ok(addresses.size > 10);
    for (const address of addresses) {
      assert.match(address, /^\//, slug);
      assert.equal((await client.send(address.replaceAll('&amp;', '&'))).status, 200, address);
    }
  }
});

/** The data for search engines in a page, as text. */
async function structuredData(slug: string, locale: string): Promise<string> {
  const { text } = await service.gateway.client(slug).send(`/?lang=${locale}`);
  const [, data = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text) ?? [];
  return data;
}

/** Mistakes against schema.org: no such property, one of another type, and a wrong value. */
const WRONG = [
  '{ "@type": "Restaurant", "hasMenus": "/" }',
  '{ "@type": "Restaurant", "hasMenu": { "@type": "Menu", "suitableForDiet": "x" } }',
  '{ "@type": "Restaurant", "hasMenu": { "@type": "MenuItem", "name": "x" } }',
  '{ "@type": "Ristorante", "name": "x" }',
];

/**
 * The compiler's errors for documents, by the name of each. The types come from the vocabulary: every
 * type of schema.org with its properties, those that it inherits, and what each may hold.
 */
async function complaints(documents: ReadonlyMap<string, string>): Promise<string> {
  const folder = await fileFolder();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const consts = [...documents].map(
    ([name, text]) => `export const ${name}: WithContext<Restaurant> = ${text};`,
  );
  const lines = [`import type { Restaurant, WithContext } from 'schema-dts';`, ...consts];
  const file = join(folder, 'documents.ts');
  await writeFile(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, file];
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder }, (_, said) => done(said));
  });
}

test('the structured data of every demo menu is what schema.org defines', async () => {
  const documents = new Map<string, string>();
  for (const [index, { slug, settings }] of menus.entries()) {
    const { supported_locales: locales } = settings;
    const locale = locales[index % locales.length] ?? '';
    documents.set(`${slug}_${locale}`, await structuredData(slug, locale));
  }
  assert.equal(await complaints(documents), '');
  // The same check finds what is wrong.
  const context = '"@context": "https://schema.org", ';
  const wrong = WRONG.map((text, index) => [`wrong${index}`, text.replace('{ ', `{ ${context}`)]);
  const found = await complaints(new Map(wrong as [string, string][]));
  for (const line of WRONG.keys()) {
    assert.match(found, new RegExp(`documents.ts\\(${line + 2},`), WRONG[line]);
  }
});
