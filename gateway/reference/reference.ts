import { readFileSync } from 'node:fs';
import { compressLater } from '../../db/runtime/compress.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import { PAGE_HEADERS } from '../http/answer.ts';
import { createFileAsset } from '../http/asset.ts';
import { html } from '../http/html.ts';
import {
  createForm,
  prepareRepresentations,
  type Representations,
  selectAnswer,
} from '../http/representations.ts';
import type { DescribedRoute } from '../openapi/description.ts';
import type { FrontContext, FrontRoute } from '../pipeline/route.ts';
import { type ApiDocument, tagSection } from './operations.ts';
import { prose, schemaSection } from './schemas.ts';

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url));
const stylesheet = createFileAsset('text/css', read('reference.css'));
const script = createFileAsset('text/javascript', read('reference.js'));

const FORM = createForm('no-cache', {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...PAGE_HEADERS,
});

/** The reference of the API as a page, from the document that it publishes. */
function renderReference(document: ApiDocument): string {
  const paragraphs = document.info.description
    .split('\n\n')
    .map((text) => html`<p>${prose(text.replaceAll('**', ''))}</p>`);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaSection(name, schema),
  );
  return `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8"><title>${document.info.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${stylesheet.version}/reference.css">
<script src="/docs/${script.version}/reference.js" defer></script></head>
<body><header><h1>${document.info.title}</h1>
<p>The same as a document for programs: <a href="/api/v1/openapi.json">openapi.json</a></p>
</header>
<div class="search" role="search" hidden><label for="search">Search</label> <input id="search" type="search" placeholder="POST /admin/items">
<output for="search"></output></div>
<main><details><summary>About the API</summary>${paragraphs}</details>
${document.tags.map((tag) => tagSection(document, tag))}
<section><h2>Schemas</h2><p>What bodies and answers consist of.</p>${schemas}</section>
</main></body></html>`.text
  }\n`;
}

async function preparePage(routes: readonly DescribedRoute[]): Promise<Representations> {
  // Loaded when it is needed: most gateways are never asked, and all would start later.
  const { makeDocument } = await import('../openapi/document.ts');
  const text = renderReference(makeDocument(routes));
  const identity = Buffer.from(text);
  const gzip = await compressLater(identity, 'gzip');
  const br = await compressLater(identity, 'br');
  return prepareRepresentations({ identity, etag: entityTag('docs', text), gzip, br }, FORM);
}

const route = (path: string, call: FrontRoute['call']): FrontRoute => ({
  kind: 'front',
  method: 'GET',
  path,
  call,
});

/** `/docs`: the reference of the API for people, on every restaurant's host. */
export function createReferenceRoutes(routes: readonly DescribedRoute[]): FrontRoute[] {
  const page = memoizeAsync(() => preparePage(routes));
  return [
    route('/docs', async (context) => selectAnswer(await page(), context)),
    ...[
      { name: 'reference.css', asset: stylesheet },
      { name: 'reference.js', asset: script },
    ].map(({ name, asset }) =>
      route(`/docs/:version/${name}`, (context: FrontContext) =>
        selectAnswer(asset.read(context.param), context),
      ),
    ),
  ];
}
