import { joinInSteps } from '../../db/runtime/join-in-steps.ts';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values that a template may hold; null and false give nothing. */
export type Content = Html | string | number | null | false | readonly Content[];

const SPECIAL = /[&<>"']/;

/** Kind by kind: a call for each sign would take twice as long. */
function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function render(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(render).join('');
  return escapeText(String(content));
}

/**
 * A template of HTML in which every value is escaped unless it is `Html` itself. Values may stand
 * in text and inside quoted attributes, and nowhere else.
 */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((text, part, i) => text + render(values[i - 1] ?? null) + part));
}

/** The bytes of a page that comes in pieces, a piece a step. */
export function* bytesInSteps(pieces: Iterable<Html>): Generator<void, Buffer> {
  const bytes: Buffer[] = [];
  for (const { text } of pieces) {
    bytes.push(Buffer.from(text));
    yield;
  }
  return yield* joinInSteps(bytes);
}

/** The first lines in the head of a page that no search engine lists. */
export const UNLISTED = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">`;
