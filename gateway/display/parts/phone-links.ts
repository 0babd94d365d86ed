import { type Content, html } from '../../http/html.ts';

/** A number with fewer digits is an extension or no telephone number; none has more than 15 (E.164). */
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 15;

/** Digits as people group them, with a country's plus sign. A slash may divide groups, or numbers. */
const RUN = /\+?\(?\d[\d\s().\-–/]*\d/g;

/** In these countries the 0 belongs to the number, also when a caller dials the country first. */
const KEEPS_ZERO = /^\+(39|378|379)/;

/** How a number is dialled; null when it is none, or when that is not certain. */
function dialled(text: string): string | null {
  const trunk = KEEPS_ZERO.test(text) ? '0' : '';
  const number = text.replace(/\(0\)/g, trunk).replace(/[^+\d]/g, '');
  const digits = number.replace('+', '').length;
  const isCertain = /^\+?\d+$/.test(number) && !text.includes('/');
  return isCertain && digits >= FEWEST_DIGITS && digits <= MOST_DIGITS ? number : null;
}

/** Two whole numbers with a slash between them; a slash within one number leaves it as it is. */
function numbersOf(run: string): string[] {
  const parts = run.split(/\s*\/\s*/);
  return parts.every((part) => dialled(part) !== null) ? parts : [run];
}

/** A restaurant's telephone numbers, each as a link where it is certain how it is dialled. */
export function phoneLinks(phone: string): Content {
  const pieces: Content[] = [];
  let end = 0;
  for (const match of phone.matchAll(RUN)) {
    pieces.push(phone.slice(end, match.index));
    end = match.index + match[0].length;
    numbersOf(match[0]).forEach((part, index) => {
      const number = dialled(part);
      pieces.push(index > 0 && ' / ', number ? html`<a href="tel:${number}">${part}</a>` : part);
    });
  }
  return [...pieces, phone.slice(end)];
}
