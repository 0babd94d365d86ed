// Changes product code, one place at a time, and says which changes the unit and API tests notice:
// npm run test:mutation -- [count] [seed]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

type Verdict = 'noticed' | 'survived' | 'not code';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const tests = tracked.filter((file) => /^test\/(unit|api)\/.*\.test\.ts$/.test(file));

/** The tests that are likely to notice a change in a file come first. */
function testsFor(file: string): string[] {
  const likely = targets.find(({ code }) => code.test(file))?.tests ?? /^$/;
  return [...tests.filter((test) => likely.test(test)), ...tests.filter((t) => !likely.test(t))];
}

/** Whether a compiled test file passes; everything that it started ends with it. */
async function passes(program: string, env: Record<string, string>): Promise<boolean> {
  const options = ['--test', '--test-reporter=dot', `--test-timeout=${FILE_BOUND_MS}`];
  const runner = spawn(process.execPath, [...options, program], {
    stdio: 'ignore',
    env: { ...process.env, ...env },
    detached: true,
  });
  const group = runner.pid as number;
  const late = setTimeout(() => process.kill(-group, 'SIGKILL'), FILE_BOUND_MS);
  const [code] = await once(runner, 'exit');
  clearTimeout(late);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has left nothing behind.
  }
  return code === 0;
}

const sources = tests.map((file) => join(root, file));

/** The first of the test files that fails. */
async function firstFailure(
  files: readonly string[],
  folder: string,
  url: string,
): Promise<string | undefined> {
  const env = { TEST_DATABASE_URL: url, TEST_COMPILED: folder };
  for (const file of files) if (!(await passes(compiledPath(folder, file), env))) return file;
  return undefined;
}

async function judge(mutant: Mutant, folder: string, url: string): Promise<Verdict> {
  const replaced = new Map([[join(root, mutant.file), await applyMutant(root, mutant)]]);
  try {
    const isCode = await compile(sources, folder, replaced).then(
      () => true,
      () => false,
    );
    if (!isCode) return 'not code';
    return (await firstFailure(testsFor(mutant.file), folder, url)) ? 'noticed' : 'survived';
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

async function work(): Promise<void> {
  while (judged() < count && all.length > 0) {
    const [mutant] = all.splice(random.below(all.length), 1) as [Mutant];
    number += 1;
    const verdict = await judge(mutant, join(data, `mutant-${number}`), server.url);
    verdicts[verdict].push(mutant);
    if (verdict === 'not code') continue;
    const { file, line, before, after } = mutant;
    console.log(`${judged()} ${verdict}: ${file}:${line}`);
    if (verdict === 'survived') console.log(`  - ${before.trim()}\n  + ${after.trim()}`);
  }
}

try {
  const unchanged = join(data, 'unchanged');
  await compile(sources, unchanged);
  const failing = await firstFailure(tests, unchanged, server.url);
  if (failing) throw new Error(`${failing} fails without any change`);
  await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, work));
} finally {
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
console.log(`${verdicts.noticed.length} of ${judged()} changes were noticed (seed ${seed})`);
