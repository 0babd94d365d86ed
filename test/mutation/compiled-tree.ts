import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { asBesideSource } from '../support/compile.ts';
import { compiledPath } from '../support/compiled-path.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every file of the repository, below it. */
export const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split(
  '\n',
);

/** Declarations have no code. */
const sources = tracked.filter((file) => /(?<!\.d)\.[jt]s$/.test(file));
/** Data that sources import. */
const catalogues = tracked.filter((file) => /^db\/.*\.json$/.test(file));

/** A source as Node can load it, or null when it is not TypeScript. */
export async function compileText(file: string, text: string): Promise<string | null> {
  // Each program is compiled beside its starter.
  const beside = (program: string) => `new URL('${program}.js', import.meta['url'])`;
  const placed = asBesideSource(text, join(root, file), beside);
  const linked = placed.replace(/\b((?:from|import|import\() ?'\.[^']*)\.ts'/g, "$1.js'");
  const options = { loader: 'ts', format: 'esm', target: 'node20.10' } as const;
  return transform(linked, options).then(
    ({ code }) => code,
    () => null,
  );
}

/**
 * The whole repository, each source compiled alone, so that a changed source takes a few
 * milliseconds. Processes need longer to load it than what `compile` makes.
 */
export interface CompiledTree {
  folder: string;
  /** The compiled text of a source. */
  textOf(file: string): string;
  /** Another compiled text takes the source's place. */
  replace(file: string, code: string): Promise<void>;
  /** The unchanged tree in another folder. */
  copyTo(folder: string): Promise<CompiledTree>;
}

/** @param folder does not exist */
export async function compileTree(folder: string): Promise<CompiledTree> {
  const compileSource = async (file: string): Promise<[string, string]> => {
    const code = await compileText(file, await readFile(join(root, file), 'utf8'));
    if (code === null) throw new Error(`${file} cannot be compiled`);
    return [file, code];
  };
  const readData = async (file: string): Promise<[string, string]> => [
    file,
    await readFile(join(root, file), 'utf8'),
  ];
  const texts = [...sources.map(compileSource), ...catalogues.map(readData)];
  return writeTree(folder, new Map(await Promise.all(texts)));
}

async function writeTree(
  folder: string,
  texts: ReadonlyMap<string, string>,
): Promise<CompiledTree> {
  const write = async (file: string, code: string) => {
    const path = compiledPath(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  };
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await Promise.all(Array.from(texts, ([file, code]) => write(file, code)));
  return {
    folder,
    textOf: (file) => texts.get(file) as string,
    replace: write,
    copyTo: (other) => writeTree(other, texts),
  };
}
