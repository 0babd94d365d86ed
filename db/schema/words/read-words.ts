// Lists of words are data: a language's words stand in one text, with commas between them.

/** The words of a list. */
export const wordsOf = (list: string): string[] => list.split(', ');

/** Letters alone, small and without accents: `s/ consulta` and `S. Consulta` are the same word. */
export function squeezed(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
