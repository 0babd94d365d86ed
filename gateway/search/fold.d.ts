/** See `fold.js`. */
export function fold(text: string): string;
export function foldText(text: string): string;
export function foldWords(query: string): string[][];
export function hasWords(text: string, words: readonly (readonly string[])[]): boolean;
