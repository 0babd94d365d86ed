import { decodeHTML } from 'entities/decode';

/** Elements that editors of shops write into descriptions, and those of them that end a line. */
const NAMES =
  'p|br|div|span|b|i|u|em|strong|small|sub|sup|ul|ol|li|h[1-6]|a|font|table|tbody|tr|td|th|hr|img';
const TAG = new RegExp(`</?(?:${NAMES})(?:\\s[^<>]{0,2000})?/?>`, 'gi');
const LINE = /^<(?:br|\/p|\/div|\/li|\/tr|\/h)/i;
/** Signs that turn the direction of what follows: Word writes them, and no menu needs them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text of a cell of somebody else's table: without HTML and without signs that turn directions. */
export function plainText(cell: string): string {
  const text = cell.replace(TURNS, '');
  if (!/[<&]/.test(text)) return text;
  const bare = text.replace(TAG, (tag) => (LINE.test(tag) ? '\n' : ' '));
  const isMarked = bare !== text;
  const decoded = decodeHTML(bare);
  if (!isMarked) return decoded.replaceAll('\u00a0', ' ');
  return decoded
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
