import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledPath } from '../support/compiled-path.ts';

/** A part of a compiled text and how often it ran, as V8 counts it. */
interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

interface Report {
  result: { url: string; functions: { ranges: Range[] }[] }[];
}

/** Which parts of the compiled sources a test file ran. */
export interface Coverage {
  runs(file: string, offset: number): boolean;
}

const innermost = (ranges: Range[], offset: number) =>
  ranges
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0];

/** Reads what every process of a test file wrote into the folder of `NODE_V8_COVERAGE`. */
export async function readCoverage(
  reports: string,
  compiled: string,
  files: readonly string[],
): Promise<Coverage> {
  const urls = new Map(files.map((f) => [pathToFileURL(compiledPath(compiled, f)).href, f]));
  const scripts: { file: string; ranges: Range[] }[] = [];
  for (const name of await readdir(reports)) {
    const { result } = JSON.parse(await readFile(join(reports, name), 'utf8')) as Report;
    for (const { url, functions } of result) {
      const file = urls.get(url);
      if (file) scripts.push({ file, ranges: functions.flatMap(({ ranges }) => ranges) });
    }
  }
  return {
    runs: (file, offset) =>
      scripts.some((s) => s.file === file && (innermost(s.ranges, offset)?.count ?? 0) > 0),
  };
}
