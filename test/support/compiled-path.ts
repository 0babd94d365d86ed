import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Where a source's compiled form is, below the folder that `compile` has filled. */
export function compiledPath(folder: string, source: string): string {
  return join(folder, relative(root, resolve(root, source))).replace(/\.ts$/, '.js');
}
