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
  // Azerbaijani, for keyboards that lack the letter.
  ə: 'e',
  // Arabic and Persian letters that readers write for each other, and the line that stretches words.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ٱ: 'ا',
  ـ: '',
  // Hebrew letters at the end of words.
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
};
/** The characters beside capitals that folding changes. */
const CHANGED = /[`\u0080-\uffff]/;
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

/** Letters that people spell in two where a keyboard lacks them: `Käse` is `Kaese`, too. */
const UMLAUTS = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const UMLAUT = /[äöüøå]/g;

/** Scripts without blanks between words: a search looks for each character. */
const CHARACTERS = readPattern(
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]',
  '[\u3040-\u30ff\u3400-\u9fff]',
);
/** Accents and invisible signs. */
const INVISIBLE = readPattern(
  '[\\p{M}\\p{Default_Ignorable_Code_Point}]+',
  '[\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u200b-\u200f\ufe00-\ufe0f\ufeff]+',
);

/** A pattern with classes of Unicode; Chromium 63 has none of them, and takes the other one. */
export function readPattern(pattern, older) {
  try {
    return new RegExp(pattern, 'gu');
  } catch {
    return new RegExp(older, 'g');
  }
}

/** Katakana of either width as hiragana, and wide Latin letters as usual ones. */
function narrowed(text) {
  return text
    .replace(/[\uff61-\uff9f]+/g, (signs) => signs.normalize('NFKC'))
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u30a1-\u30f6]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0x60));
}

/**
 * Makes texts comparable for search: lower case, without accents and invisible marks, ligatures
 * spelled out, a letter and an apostrophe in one form. Both the dishes' texts and the words of a query
 * pass through here.
 */
export function fold(text) {
  const lower = text.toLowerCase();
  // Most queries are plain, and taking accents off takes three times as long as seeing that.
  if (!CHANGED.test(lower)) return lower;
  return narrowed(lower)
    .normalize('NFD')
    .replace(INVISIBLE, '')
    .replace(SPELLED, (sign) => SPELLINGS[sign] ?? sign);
}

/** A text without umlauts: spelled in two letters where it has some, else null. */
function spelled(text) {
  const lower = text.toLowerCase().normalize('NFC');
  return lower.search(UMLAUT) < 0 ? null : fold(lower.replace(UMLAUT, (sign) => UMLAUTS[sign]));
}

/** A text in which folded words can be found, however they spell umlauts. */
export function foldText(text) {
  const other = spelled(text);
  return other === null ? fold(text) : `${fold(text)}\n${other}`;
}

/**
 * The words of a query, each in its spellings: a text must have one. A character of Chinese or
 * Japanese is a word.
 */
export function foldWords(query) {
  const words = query.replace(CHARACTERS, ' $& ').split(/\s+/).filter(Boolean);
  const forms = words.map((word) => {
    const other = spelled(word);
    return other === null ? [fold(word)] : [fold(word), other];
  });
  return forms.filter(([form]) => form !== '');
}

/** Whether a text of `foldText` has all words of `foldWords`. */
export const hasWords = (text, words) =>
  words.every((forms) => forms.some((form) => text.includes(form)));
