import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSlices } from '../../db/runtime/in-slices.ts';

/** An import of another file of ours, without those of types alone. */
const IMPORT = /^(?:import|export) (?!type )[^;']* from '(\.[^']+\.[jt]s)';/gm;

/** A file and all that it imports, each behind its own imports; a step is a file. */
function* filesInSteps(file: URL, visited: Set<string>): Generator<void, string[]> {
  visited.add(file.href);
  const source = readFileSync(file, 'utf8');
  yield;
  const files: string[] = [];
  for (const [, path = ''] of source.matchAll(IMPORT)) {
    const imported = new URL(path, file);
    if (!visited.has(imported.href)) files.push(...(yield* filesInSteps(imported, visited)));
  }
  return [...files, file.href];
}

/**
 * Loads a module that imports many, one file after the other: others are answered in between. All at
 * once, they keep the event loop for a tenth of a second.
 *
 * @param loaded imports those that are loaded already
 */
export async function loadFileByFile(file: URL, loaded: URL): Promise<void> {
  const visited = new Set<string>();
  await inSlices(filesInSteps(loaded, visited));
  for (const one of await inSlices(filesInSteps(file, visited))) {
    await import(one);
    await nextTurn();
  }
}
