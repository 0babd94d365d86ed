/** The values that the records of a list have for a key. */
export function each<List extends readonly unknown[], Key extends keyof List[number]>(
  records: List,
  key: Key,
): List[number][Key][] {
  return records.map((record: List[number]) => record[key]);
}
