/** The longer words of a text: `maxRecords` and `max_records` are each one, and hold two more. */
export function wordsOf(text: string): Set<string> {
  const parts = text.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase();
  return new Set(`${text} ${parts}`.match(/[a-z]\w{3,}/gi));
}

/** How many of the texts have a word, by word. */
export function countWords(texts: Iterable<ReadonlySet<string>>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of texts) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** How many words two texts share; a word that only ten tests have counts a tenth. */
export function likenessOf(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  counts: ReadonlyMap<string, number>,
): number {
  const shared = [...one].filter((word) => other.has(word));
  return shared.reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0);
}
