/** Letters in two, and signs that keyboards and word processors put in each other's place. */
const SPELLINGS: Record<string, string> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
  '\u00ad': '',
};
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Makes texts comparable for search: lower case, without accents, ligatures spelled out, a letter and
 * an apostrophe in one form. Both the dishes' texts and the words of a query pass through here.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // Most queries are plain, and taking accents off takes three times as long as seeing that.
  if (!BEYOND_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßœæøłđıς’‘ʼ‐‑\u00ad]/g, (sign) => SPELLINGS[sign] ?? sign);
}
