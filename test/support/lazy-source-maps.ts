// Lets traces of errors name the sources. Node's `--enable-source-maps` reads every map when a file
// is loaded, a sixth of a second of a core for each test file; most of them never show a trace.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | null>();

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const path = `${fileURLToPath(file)}.map`;
  const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null;
  maps.set(file, map);
  return map;
}

/** A line of a trace, with the place in the source if the file was compiled for the tests. */
function lineOf(site: NodeJS.CallSite): string {
  const line = site.toString();
  const file = site.getFileName();
  if (!file?.startsWith('file:')) return line;
  const [row, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1];
  const entry = mapOf(file)?.findEntry(row - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return line;
  const source = fileURLToPath(new URL(entry.originalSource, file));
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return line.replace(`${file}:${row}:${column}`, place);
}

Error.prepareStackTrace = (error, sites) =>
  [String(error), ...sites.map((site) => `    at ${lineOf(site)}`)].join('\n');
