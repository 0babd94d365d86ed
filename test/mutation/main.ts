// Changes product code, one place at a time, and says which changes the unit and API tests notice:
// npm run test:mutation -- [count] [seed]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { createRandom } from '../../bench/load/random.ts';
import { compile } from '../support/compile.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { startTestServer } from '../support/test-server.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts';
import { targets } from './targets.ts';

const root = resolve(import.meta.dirname, '../..');
const CHANGES_AT_ONCE = 2;
/** A file that takes longer hangs: that is one way to notice a change. */
const FILE_BOUND_MS = 180_000;
/** Test files that are run for one change, at most. */
const MAX_TESTS = 12;

type Verdict = 'noticed' | 'survived' | 'not code';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const tests = tracked.filter((file) => /^test\/(unit|api)\/.*\.test\.ts$/.test(file));

/** Every source that a test file loads, itself included. */
function loadedBy(test: string, { inputs }: Metafile): Set<string> {
  const loaded = new Set([test]);
  for (const file of loaded) for (const { path } of inputs[file]?.imports ?? []) loaded.add(path);
  return loaded;
}

/** The tests that are likely to notice a change in a file, and then others that load it. */
function testsFor(file: string, unchanged: Metafile): string[] {
  const likely = targets.find(({ code }) => code.test(file))?.tests ?? /^$/;
  const first = tests.filter((test) => likely.test(test));
  const others = tests.filter((t) => !likely.test(t) && loadedBy(t, unchanged).has(file));
  return [...first, ...others].slice(0, MAX_TESTS);
}

/** Ends every process of a group; the group may have none left. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether a compiled test file passes. It ends at its first failure, with all that it started. */
async function passes(program: string, env: Record<string, string>): Promise<boolean> {
  const options = ['--test', '--test-reporter=tap', `--test-timeout=${FILE_BOUND_MS}`];
  const runner = spawn(process.execPath, [...options, program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const group = runner.pid as number;
  const late = setTimeout(() => killGroup(group), FILE_BOUND_MS);
  let told = '';
  runner.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
    if (/^ *not ok /m.test(told)) killGroup(group);
  });
  const [code] = await once(runner, 'exit');
  clearTimeout(late);
  killGroup(group);
  return code === 0;
}

const sources = tests.map((file) => join(root, file));

/** The test files as they are, compiled, and which of them have been tried. */
interface Unchanged {
  folder: string;
  metafile: Metafile;
  passed: Map<string, Promise<boolean>>;
}

const runFile = (file: string, folder: string, url: string) =>
  passes(compiledPath(folder, file), { TEST_DATABASE_URL: url, TEST_COMPILED: folder });

/** Whether one of the test files fails that passes without the change. */
async function isNoticed(
  files: readonly string[],
  folder: string,
  url: string,
  unchanged: Unchanged,
): Promise<boolean> {
  for (const file of files) {
    if (await runFile(file, folder, url)) continue;
    const passed = unchanged.passed.get(file) ?? runFile(file, unchanged.folder, url);
    unchanged.passed.set(file, passed);
    if (!(await passed)) throw new Error(`${file} fails without any change`);
    return true;
  }
  return false;
}

async function judge(
  mutant: Mutant,
  folder: string,
  url: string,
  unchanged: Unchanged,
): Promise<Verdict> {
  const replaced = new Map([[join(root, mutant.file), await applyMutant(root, mutant)]]);
  try {
    const isCode = await compile(sources, folder, replaced).then(
      () => true,
      () => false,
    );
    if (!isCode) return 'not code';
    const files = testsFor(mutant.file, unchanged.metafile);
    return (await isNoticed(files, folder, url, unchanged)) ? 'noticed' : 'survived';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
const files = tracked.filter((file) => targets.some(({ code }) => code.test(file)));
const code = files.filter((file) => file.endsWith('.ts'));
const all = (await Promise.all(code.map((file) => mutantsOf(root, file)))).flat();
const random = createRandom(seed);
const verdicts: Record<Verdict, Mutant[]> = { noticed: [], survived: [], 'not code': [] };
const judged = () => verdicts.noticed.length + verdicts.survived.length;

const data = await mkdtemp(join(tmpdir(), 'lavagna-mutation-'));
await chmod(data, 0o755);
const server = await startTestServer(data);
let number = 0;

async function work(unchanged: Unchanged): Promise<void> {
  while (judged() < count && all.length > 0) {
    const [mutant] = all.splice(random.below(all.length), 1) as [Mutant];
    number += 1;
    const verdict = await judge(mutant, join(data, `mutant-${number}`), server.url, unchanged);
    verdicts[verdict].push(mutant);
    if (verdict === 'not code') continue;
    const { file, line, before, after } = mutant;
    console.log(`${judged()} ${verdict}: ${file}:${line}`);
    if (verdict === 'survived') console.log(`  - ${before.trim()}\n  + ${after.trim()}`);
  }
}

try {
  const folder = join(data, 'unchanged');
  const unchanged = { folder, metafile: await compile(sources, folder), passed: new Map() };
  await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, () => work(unchanged)));
} finally {
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
console.log(`${verdicts.noticed.length} of ${judged()} changes were noticed (seed ${seed})`);
