/** The samples of a metrics page, by their names with labels in alphabetical order. */
export async function scrape(opsPort: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  const samples = new Map<string, number>();
  for (const line of (await response.text()).split('\n')) {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const sorted = labels.match(/\w+="[^"]*"/g)?.sort() ?? [];
    if (value !== undefined) samples.set([name, ...sorted].join(' '), Number(value));
  }
  return samples;
}
