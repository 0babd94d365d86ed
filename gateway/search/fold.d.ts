/** See `fold.js`. */
export function fold(text: string): string;
