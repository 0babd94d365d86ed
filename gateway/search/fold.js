// The menu's page searches with this very file, so it is one that browsers run.

/** Letters in two, and signs that keyboards and word processors put in each other's place. */
const SPELLINGS = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
  '’': "'",
  '‘': "'",
  '´': "'",
  '`': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
};
/** The characters beside capitals that folding changes. */
const CHANGED = /[`\u0080-\uffff]/;

/**
 * Makes texts comparable for search: lower case, without accents and invisible marks, ligatures
 * spelled out, a letter and an apostrophe in one form. Both the dishes' texts and the words of a query
 * pass through here.
 */
export function fold(text) {
  const lower = text.toLowerCase();
  // Most queries are plain, and taking accents off takes three times as long as seeing that.
  if (!CHANGED.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[ßœæøłđıςﬀ-ﬆ’‘´`ʼ‐‑]/g, (sign) => SPELLINGS[sign] ?? sign);
}
