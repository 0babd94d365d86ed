// Runs the test files and folders that its arguments name, or all `walks`. One Postgres and one browser
// serve them all, and the code is compiled once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fontListOf, librariesOf, startBrowserServer } from '../bench/processes/browser-server.ts';
import { compile } from './support/compile.ts';
import { compiledPath } from './support/compiled-path.ts';
import { endBlocked, notesOfHung } from './support/hung-files.ts';
import { killGroup } from './support/kill-group.ts';
import { mocksTimers } from './support/mocks-timers.ts';
import { cpuSeconds, slowestFiles, wholeCost } from './support/run-costs.ts';
import type { SharedFiles } from './support/run-in-turn.ts';
import { startTestServer } from './support/test-server.ts';

/**
 * Processes at a time. More than a small machine has cores: test files often wait for programs that
 * start or stop.
 */
const concurrency = 4;
/** A test file that takes longer hangs. */
const fileBoundMs = { usual: 300_000, long: 900_000 };
/** A process that does not end then is blocked. */
const blockedAfterMs = 30_000;
/** A process that lives longer after its last file has something open. */
const restBound = 60_000;
/** The run ends after this time even when a test file cannot be ended. */
const runBoundMs = 2_700_000;
/** A file system in memory, which Docker makes too small and other systems than Linux lack. */
const memory = '/dev/shm';
/** A run needs a fifth of it. */
const minMemoryBytes = 4 * 2 ** 30;

/** Room for young objects, in MB: tests make many, and each clearing takes time from all cores. */
const youngHeap = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
/**
 * How much code of a function runs before V8 optimises it, in bytes: four times the usual. Most
 * functions of tests never earn back what that takes. Node 22 and 24 wait longer already.
 */
const lateOptimising = process.version.startsWith('v20.') ? ['--interrupt-budget=270000'] : [];

/**
 * Chromium starts no process in advance, and shows a page in the process that the tab began with. The
 * pages of other sites, and of other contexts, keep processes of their own.
 */
const fewRenderers = ['--renderer-process-limit=1'];

/** Loaded before node's runner. */
const preloads = ['lazy-source-maps.ts', 'follow-tests.ts'].map((file) =>
  resolve('test/support', file),
);
const inTurn = resolve('test/support/run-in-turn.ts');
const countFailures = resolve('test/support/count-failures.ts');
const isTest = (file: string) => /\.test\.\w+$/.test(file);
const isThorough = (file: string) => file.includes('/test/thorough/');
/** These judge how the other files of the run went, when those have ended. */
const isAfter = (file: string) => file.includes('/test/after/');
/** Some of these look at the memory or the connections of their process. */
const isAlone = (file: string) => file.includes('/test/faults/');

const kindOf = (files: string[]) =>
  files.some((file) => isAlone(file) || isThorough(file)) ? 'long' : 'usual';

/** The test files that a path names: the file, or all files of the folder. */
async function testFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [resolve(path)];
  const entries = await readdir(path, { recursive: true });
  const files = entries.filter(isTest).sort();
  return files.map((file) => resolve(path, file));
}

/** The test files that walk further when they may: `npm run test:walks`. */
async function walks(): Promise<string[]> {
  const files = await testFiles('test');
  const isWalk = async (file: string) =>
    isThorough(file) || (await readFile(file, 'utf8')).includes("/support/thorough.ts'");
  const found = await Promise.all(files.map(async (file) => ((await isWalk(file)) ? [file] : [])));
  return found.flat();
}

/** Files that mock timers come first: the service that the files of a process share is there later. */
const orderFiles = (files: string[]): string[] => [
  ...new Set([...files.filter(mocksTimers), ...files]),
];

/** Writes programs into a new folder. Each runs some of the compiled test files. */
async function writePrograms(compiled: string, folder: string, tests: string[]): Promise<string[]> {
  await mkdir(folder);
  const shares = !tests.some(isAlone);
  const perProcess = shares ? tests.length : 1;
  const files = tests.map((file) => relative('.', file));
  const bound = fileBoundMs[kindOf(tests)];
  const shared: SharedFiles = {
    files,
    compiled,
    marks: folder,
    perProcess,
    shares,
    bound,
    restBound,
  };
  const count = perProcess === 1 ? files.length : Math.min(concurrency, files.length);
  const text = `import { runInTurn } from ${JSON.stringify(compiledPath(compiled, inTurn))};
await runInTurn(${JSON.stringify(shared)});`;
  const programs = Array.from({ length: count }, (_, index) => join(folder, `run-${index}.js`));
  for (const program of programs) await writeFile(program, text);
  return programs;
}

/** Runs programs by node's own runner, in a process group that ends with it. */
async function runPrograms(
  compiled: string,
  programs: string[],
  more: { options: string[]; env: Record<string, string> },
  signal: AbortSignal,
): Promise<boolean> {
  const options = [
    ...more.options,
    ...preloads.map((file) => `--import=${compiledPath(compiled, file)}`),
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${compiledPath(compiled, countFailures)}`,
    '--test-reporter-destination=stdout',
    `--test-timeout=${runBoundMs}`,
  ];
  const runner = spawn(process.execPath, [...options, ...programs], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...more.env },
    detached: true,
  });
  const group = runner.pid as number;
  const end = () => killGroup(group);
  signal.addEventListener('abort', end);
  const [code] = await once(runner, 'exit');
  signal.removeEventListener('abort', end);
  end();
  return code === 0;
}

/** The started parts of a run, to be ended in reverse order. */
const cleanups: (() => Promise<unknown>)[] = [];

/** A new folder that is gone when the run ends. */
async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'lavagna-test-'));
  // A program that has just been ended may still write there.
  cleanups.push(() =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  // Postgres and some programs run as another account, which has to enter the folder.
  await chmod(folder, 0o755);
  return folder;
}

/**
 * The folder of the databases, in memory where the machine has the space. On disks, file systems
 * become slow when hundreds of databases are made and dropped within minutes.
 */
async function makeDataFolder(): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return makeFolder(free < minMemoryBytes ? tmpdir() : memory);
}

/** Prepares what the files need, and runs them. */
async function runAll(files: string[], signal: AbortSignal): Promise<boolean> {
  const folder = await makeFolder(tmpdir());
  const compiled = join(folder, 'compiled');
  await compile([...preloads, inTurn, countFailures, ...files], compiled);
  const server = await startTestServer(await makeDataFolder());
  cleanups.push(server.stop);
  const statements = join(folder, 'statements');
  await mkdir(statements);
  const env: Record<string, string> = {
    TEST_DATABASE_URL: server.url,
    TEST_COMPILED: compiled,
    TEST_STATEMENTS: statements,
  };
  if (files.some((file) => file.includes('/test/browser/') || isThorough(file))) {
    const place = join(folder, 'browser');
    const browser = await startBrowserServer(place, fewRenderers);
    cleanups.push(() => browser.close());
    env.TEST_BROWSER = browser.wsEndpoint();
    env.TEST_BROWSER_FONTS = fontListOf(place);
    env.TEST_BROWSER_LIBRARIES = librariesOf(place);
  }
  const options = [`--test-concurrency=${concurrency}`];
  if (!files.some(isAlone)) options.push(...youngHeap, ...lateOptimising);
  // A file that is no test makes pictures, or is a command.
  const others = files.filter((file) => !isTest(file)).map((file) => compiledPath(compiled, file));
  const judges = files.filter(isAfter);
  const tests = orderFiles(files.filter((file) => isTest(file) && !isAfter(file)));
  const hung: string[] = [];
  const run = async (marks: string, programs: readonly string[], some: string[]) => {
    const all = [...(await writePrograms(compiled, marks, some)), ...programs];
    const look = setInterval(() => {
      const blocked = endBlocked(marks, some, fileBoundMs[kindOf(some)] + blockedAfterMs);
      for (const file of blocked) console.error(`${file} blocks its process, which is ended.`);
    }, blockedAfterMs).unref();
    const passed = all.length === 0 || (await runPrograms(compiled, all, { options, env }, signal));
    clearInterval(look);
    hung.push(...notesOfHung(marks, some));
    return passed;
  };
  const [during, after] = ['during', 'after'].map((name) => join(folder, name)) as [string, string];
  const passed = [await run(during, others, tests), await run(after, [], judges)];
  console.log([...slowestFiles([during, after]), wholeCost(checks), ...hung].join('\n'));
  return passed.every(Boolean);
}

/** Seconds of cores that the checks of types and style took, before this process became the run. */
const checks = cpuSeconds(process.pid);
const named = process.argv.slice(2);
const files =
  named[0] === 'walks' ? await walks() : (await Promise.all(named.map(testFiles))).flat();
if (files.length === 0) throw new Error('name test files, or folders with test files');
if (files.every(isAfter)) files.push(...(await testFiles('test/api')));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}
const bound = setTimeout(() => {
  console.error(`The run has not ended in ${runBoundMs / 60_000} minutes and is stopped.`);
  interrupted.abort();
}, runBoundMs);

try {
  const passed = await runAll(files, interrupted.signal);
  process.exitCode = passed && !interrupted.signal.aborted ? 0 : 1;
} catch (error) {
  console.error(`The tests cannot be run: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
  clearTimeout(bound);
}
