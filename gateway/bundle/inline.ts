import type { DocumentFiles } from './files.ts';

// A document and its files as one file that a browser opens from a stick.

/** Lines for search engines, home screens and modules: they lead to a server. */
const OUTSIDE = [
  /<link rel="(?:modulepreload|icon|apple-touch-icon|manifest|canonical|alternate)"[^>]*>\n?/g,
  /<meta (?:property="[^"]*"|name="(?:description|twitter:card)")[^>]*>\n?/g,
  /<script (?:type="module"|nomodule)[^>]*><\/script>\n?/g,
  /<noscript><meta http-equiv[^>]*><\/noscript>\n?/g,
  /<noscript><link rel="stylesheet" href="https?:[^>]*><\/noscript>\n?/g,
];
const DATA_FOR_SEARCH = /<script type="application\/ld\+json">[^<]*<\/script>\n?/;
const SHEET = /<link rel="stylesheet" href="(\/display\/[^"]*)"( id="theme")?>/g;
const FONT = /url\('(\/display\/[^']*\.woff2)'\)/g;
const IMAGE = / src="(\/media\/[^"]*)"/g;

const dataUrl = (type: string, content: Uint8Array) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;

/** A stylesheet with its fonts; the rules of fonts that no text needs are left out. */
function sheetWithFonts(css: string, files: DocumentFiles): string {
  return css
    .replace(/@font-face \{[^}]*\}\n?/g, (rule) => {
      const [, path = ''] = new RegExp(FONT.source).exec(rule) ?? [];
      return path === '' || files.has(path) ? rule : '';
    })
    .replace(
      FONT,
      (_, path: string) => `url(${dataUrl('font/woff2', files.get(path) ?? Buffer.of())})`,
    );
}

/** A text inside a script element must not end it. */
const asData = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The document without what leads to a server; each step reads one photo. */
function* withPhotos(body: string, files: DocumentFiles): Generator<void, string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of body.matchAll(IMAGE)) {
    const [whole, path = ''] = match;
    parts.push(body.slice(end, match.index));
    const content = files.get(path);
    if (content) parts.push(` data-path="${path}" src="${dataUrl('image/jpeg', content)}"`);
    end = match.index + whole.length;
    yield;
  }
  parts.push(body.slice(end));
  return parts.join('');
}

function plainBody(text: string): string {
  return text.slice(text.indexOf('<body>')).replace(DATA_FOR_SEARCH, '');
}

function plainHead(text: string): string {
  const head = text
    .slice(0, text.indexOf('<body>'))
    .replace('<html ', '<html data-carried ')
    .replace(/ data-font="[^"]*"/, ' data-font=""');
  return OUTSIDE.reduce((rest, pattern) => rest.replace(pattern, ''), head);
}

/**
 * Writes documents as one file, in steps: the first one is shown, and the others are there in turn.
 *
 * @param documents by their languages
 * @param settings of the screen
 * @param script one without modules
 */
export function* inlineInSteps(
  documents: ReadonlyMap<string, string>,
  files: DocumentFiles,
  settings: object,
  script: string,
): Generator<void, string> {
  const [[language, text] = ['', ''], ...rest] = documents;
  const head = plainHead(text).replace(SHEET, (_, path: string, id = '') => {
    const css = Buffer.from(files.get(path) ?? Buffer.of()).toString();
    return `<style${id}>${sheetWithFonts(css, files)}</style>`;
  });
  yield;
  const body = yield* withPhotos(plainBody(text), files);
  const others: Record<string, string> = {};
  for (const [locale, other] of rest) {
    others[locale] = plainHead(other) + plainBody(other);
    yield;
  }
  const carried = asData({ language, settings, documents: others });
  const end = `<script type="application/json" id="carried">${carried}</script>\n<script>${script}</script>\n</body>`;
  const at = body.lastIndexOf('</body>');
  return [head, body.slice(0, at), end, body.slice(at + '</body>'.length)].join('');
}
