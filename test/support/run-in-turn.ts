import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe } from 'node:test';
import { compiledPath } from './compiled-path.ts';
import { startFollowing, stopFollowing } from './follow-tests.ts';
import { beginShared, endShared } from './for-file.ts';
import { watch } from './hung-files.ts';
import { mocksTimers } from './mocks-timers.ts';
import { noteStatements } from './sent-statements.ts';

/** The test files of a run. Each of its processes takes some. */
export interface SharedFiles {
  /** Below the repository. */
  files: string[];
  /** The folder that `compile` has filled. */
  compiled: string;
  /** The folder in which a process leaves a mark for each file that it takes. */
  marks: string;
  /** How many files a process takes. */
  perProcess: number;
  /** Whether these share a service: all but those that mock timers. */
  shares: boolean;
  /** A file that takes longer hangs, in milliseconds. */
  bound: number;
  /** So does a process that lives longer after its last file. */
  restBound: number;
}

/** How long a test file took, and how long its process used a core for it, both in seconds. */
export interface FileCost {
  file: string;
  seconds: number;
  cpu: number;
}

/** Whether this process is the first to want the file: its mark holds the number of the process. */
async function take(marks: string, index: number): Promise<boolean> {
  try {
    await writeFile(join(marks, String(index)), String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs test files in this process, one after the other, each the next that no other process has
 * taken. A process of its own costs a file more than a second of a core: it loads the code and runs
 * it before V8 has made it fast.
 */
export async function runInTurn(shared: SharedFiles): Promise<void> {
  const { files, compiled, marks, perProcess, shares, bound, restBound } = shared;
  noteStatements();
  const taken: string[] = [];
  for (const [index, file] of files.entries()) {
    if (taken.length === perProcess) break;
    if (!(await take(marks, index))) continue;
    taken.push(file);
    if (shares && !mocksTimers(file)) beginShared();
    startFollowing();
    let test = 'its beginning';
    const endWatch = watch(marks, () => `${file}, in: ${test},`, bound);
    const [start, before] = [performance.now(), process.cpuUsage()];
    await describe(file, async () => {
      beforeEach(({ name }) => {
        test = name;
      });
      await import(compiledPath(compiled, file));
      stopFollowing();
    });
    endWatch();
    const { user, system } = process.cpuUsage(before);
    const cost: FileCost = {
      file,
      seconds: (performance.now() - start) / 1e3,
      cpu: (user + system) / 1e6,
    };
    await writeFile(join(marks, `${index}.json`), JSON.stringify(cost));
  }
  watch(marks, () => `the process of ${taken.join(', ')}`, restBound);
  await endShared();
}
