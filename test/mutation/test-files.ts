import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { compiledPath } from '../support/compiled-path.ts';
import { type CompiledTree, tracked } from './compiled-tree.ts';
import { type Coverage, readCoverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { passes } from './run-test.ts';
import { countWords, likenessOf, wordsOf } from './words.ts';

const root = resolve(import.meta.dirname, '../..');
/** Looks at what the files of a process share; here each has a process of its own. */
const OF_SHARED = 'test/api/files-service.test.ts';
const all = tracked.filter(
  (file) => /^test\/(unit|api)\/.*\.test\.ts$/.test(file) && file !== OF_SHARED,
);

/** The hot read, limits, writes, tokens, and what keeps one restaurant from another. */
const CHANGED = [
  /^gateway\/(pipeline\/(pipeline|route|router|targets|traffic|authenticate)\.|snapshots\/)/,
  /^gateway\/http\/(answer|negotiation|host|representations|path)\./,
  /^(gateway\/(limits|writes)|workers\/(turns|writes)|db\/queue)\//,
  /^db\/sql\/(limit-windows|writes|sessions|tokens|users|menus|snapshots|tenants)\./,
];
/** Lines before and after a changed one whose words count. */
const LINES_AROUND = 8;

/** The product files that are changed. */
export const changed = tracked.filter(
  (file) => file.endsWith('.ts') && CHANGED.some((pattern) => pattern.test(file)),
);

/** The words of each test file and of its path. */
const readWords = async () =>
  new Map(
    await Promise.all(
      all.map(async (test) => {
        const text = await readFile(join(root, test), 'utf8');
        return [test, wordsOf(`${test} ${text}`)] as const;
      }),
    ),
  );

/** Every source that a test file loads, itself included, for each test file. */
async function findLoaded(): Promise<Map<string, Set<string>>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: all,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outdir: 'unused',
  });
  const loadedBy = (test: string) => {
    const loaded = new Set([test]);
    for (const f of loaded)
      for (const { path } of metafile.inputs[f]?.imports ?? []) loaded.add(path);
    return loaded;
  };
  return new Map(all.map((test) => [test, loadedBy(test)]));
}

/** In ms. */
const UNCHANGED_BOUND = 600_000;
/** A changed test file may take this many times as long as the unchanged one, before it hangs. */
const PATIENCE = 4;
const MIN_BOUND = 180_000;

/** How a test file goes without a change. */
interface Unchanged {
  coverage: Coverage;
  /** In ms. A test file that takes longer hangs: that is one way to notice a change. */
  bound: number;
}

/** The test files of unit and API, which can notice changes. */
export interface TestFiles {
  /** Those that load a changed file. One that shares rare words with the changed place comes first. */
  loading(place: Pick<Mutant, 'file' | 'line'>): Promise<string[]>;
  /** How a test file goes without a change; undefined when it fails. */
  unchanged(test: string): Promise<Unchanged | undefined>;
  /** Those that fail without a change. */
  failing: string[];
}

/**
 * @param tree the unchanged sources
 * @param signal ends what runs
 */
export async function openTestFiles(
  tree: CompiledTree,
  url: string,
  signal: AbortSignal,
): Promise<TestFiles> {
  const loaded = await findLoaded();
  const words = await readWords();
  const counts = countWords(words.values());
  const known = new Map<string, Promise<Unchanged | undefined>>();
  const failing: string[] = [];

  async function tryUnchanged(test: string): Promise<Unchanged | undefined> {
    const reports = join(tree.folder, 'coverage', test);
    await mkdir(reports, { recursive: true });
    const began = performance.now();
    const env = { TEST_DATABASE_URL: url, TEST_COMPILED: tree.folder, NODE_V8_COVERAGE: reports };
    if (!(await passes(compiledPath(tree.folder, test), env, UNCHANGED_BOUND, signal))) {
      failing.push(test);
      return undefined;
    }
    const bound = Math.max(MIN_BOUND, PATIENCE * (performance.now() - began));
    const coverage = await readCoverage(reports, tree.folder, changed);
    await rm(reports, { recursive: true });
    return { coverage, bound };
  }

  return {
    failing,
    loading: async ({ file, line }) => {
      const lines = (await readFile(join(root, file), 'utf8')).split('\n');
      const near = lines.slice(Math.max(0, line - 1 - LINES_AROUND), line + LINES_AROUND);
      const here = wordsOf(`${file} ${near.join(' ')}`);
      const loading = all.filter((test) => loaded.get(test)?.has(file));
      const likeness = new Map(
        loading.map((test) => [test, likenessOf(here, words.get(test) ?? new Set(), counts)]),
      );
      return loading.sort((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0));
    },
    unchanged: (test) => {
      const done = known.get(test) ?? tryUnchanged(test);
      known.set(test, done);
      return done;
    },
  };
}
