import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// The files of the repository, as the tests of our style read them.

const root = resolve(import.meta.dirname, '../..');

/** Every file that is or would be committed. */
export const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('package-lock.json'));
export const sources = files.filter((file) => /\.(ts|js|mjs)$/.test(file));
export const read = (file: string) => readFileSync(join(root, file), 'utf8');
export const topFolder = (file: string) => file.split('/')[0] ?? '';

export interface Import {
  from: string;
  /** As it is written. */
  target: string;
  to: string;
}

/** The imports of files of ours by each other, with paths below the repository. */
export const imports = sources.flatMap((from): Import[] =>
  Array.from(read(from).matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g), ([, target = '']) => ({
    ...{ from, target },
    to: join(dirname(from), target),
  })),
);
