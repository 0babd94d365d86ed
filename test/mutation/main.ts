// Changes product code, one place at a time, and says which changes the unit and API tests notice:
// npm run test:mutation -- [count] [seed]
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createRandom } from '../../bench/load/random.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { startTestServer } from '../support/test-server.ts';
import { type CompiledTree, compileText, compileTree } from './compiled-tree.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts';
import { passes } from './run-test.ts';
import { changed, openTestFiles, type TestFiles } from './test-files.ts';

const root = resolve(import.meta.dirname, '../..');
const CHANGES_AT_ONCE = 4;
/** Test files that are run for one change, at most. */
const MAX_TESTS = 10;

type Verdict = 'noticed' | 'survived' | 'not run by a test' | 'not code';

/** A test file, and after how many ms it hangs. */
interface Chosen {
  test: string;
  bound: number;
}

/** The test files that have noticed a change of a product file, the newest first. */
const noticedBy = new Map<string, string[]>();
/** A signal ends the run; the result until then is shown. */
const interrupted = new AbortController();

/** The test files that run the changed place, those that are likely to notice the change first. */
async function testsFor(
  { file, line }: Pick<Mutant, 'file' | 'line'>,
  offset: number,
  tests: TestFiles,
): Promise<Chosen[]> {
  const earlier = noticedBy.get(file) ?? [];
  const running: Chosen[] = [];
  for (const test of new Set([...earlier, ...(await tests.loading({ file, line }))])) {
    if (running.length === MAX_TESTS) break;
    const unchanged = await tests.unchanged(test);
    // An operator counts as a part of its right side, which may never run.
    const runs = [offset, offset - 3].some((place) => unchanged?.coverage.runs(file, place));
    if (unchanged && runs) running.push({ test, bound: unchanged.bound });
  }
  return running;
}

/** The first of the test files that fails. */
async function findNotice(
  files: readonly Chosen[],
  { folder }: CompiledTree,
  url: string,
): Promise<string | undefined> {
  const env = { TEST_DATABASE_URL: url, TEST_COMPILED: folder };
  for (const { test, bound } of files) {
    if (!(await passes(compiledPath(folder, test), env, bound, interrupted.signal))) return test;
  }
  return undefined;
}

async function judge(
  { file, ...change }: Mutant,
  tree: CompiledTree,
  url: string,
  tests: TestFiles,
): Promise<Verdict> {
  const before = tree.textOf(file);
  const after = await compileText(file, await applyMutant(root, { file, ...change }));
  if (after === null || after === before) return 'not code';
  let offset = 0;
  while (before[offset] === after[offset]) offset += 1;
  const files = await testsFor({ file, line: change.line }, offset, tests);
  if (files.length === 0) return 'not run by a test';
  await tree.replace(file, after);
  const notice = await findNotice(files, tree, url);
  await tree.replace(file, before);
  if (notice === undefined) return 'survived';
  noticedBy.set(file, [...new Set([notice, ...(noticedBy.get(file) ?? [])])]);
  return 'noticed';
}

const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
const all = (await Promise.all(changed.map((file) => mutantsOf(root, file)))).flat();
const random = createRandom(seed);
const totals = { noticed: 0, survived: 0, 'not run by a test': 0 };
const judged = () => Object.values(totals).reduce((sum, total) => sum + total, 0);

const data = await mkdtemp(join(tmpdir(), 'lavagna-mutation-'));
await chmod(data, 0o755);
const server = await startTestServer(join(data, 'postgres'));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

async function work(tree: CompiledTree, tests: TestFiles): Promise<void> {
  while (judged() < count && all.length > 0) {
    const [mutant] = all.splice(random.below(all.length), 1) as [Mutant];
    const verdict = await judge(mutant, tree, server.url, tests);
    if (verdict === 'not code') continue;
    totals[verdict] += 1;
    const { file, line, before, after } = mutant;
    console.log(`${judged()} ${verdict}: ${file}:${line}`);
    if (verdict !== 'noticed') console.log(`  - ${before.trim()}\n  + ${after.trim()}`);
  }
}

try {
  const unchanged = await compileTree(join(data, 'unchanged'));
  const tests = await openTestFiles(unchanged, server.url, interrupted.signal);
  const numbers = Array.from({ length: CHANGES_AT_ONCE }, (_, number) => number);
  await Promise.all(
    numbers.map(async (n) => work(await unchanged.copyTo(join(data, `changed-${n}`)), tests)),
  );
  for (const test of tests.failing) console.error(`${test} fails without any change`);
  if (tests.failing.length > 0) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
} finally {
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
console.log(`${totals.noticed} of ${judged()} changes were noticed (seed ${seed})`);
