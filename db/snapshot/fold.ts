const LIGATURES: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', ı: 'i' };

/**
 * Makes texts comparable for search: lower case, without accents, ligatures spelled out. Both the
 * dishes' texts and the words of a query pass through here.
 */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßœæøłı]/g, (letter) => LIGATURES[letter] ?? letter);
}
