import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

// Processes that read what strangers have made: their memory and their time are bounded.

/**
 * The next message of a process.
 *
 * @param timeout in ms; the process is killed then
 * @throws Error when it ends
 */
export async function nextMessage(child: ChildProcess, timeout: number): Promise<unknown> {
  const ended = new AbortController();
  const killed = setTimeout(() => child.kill('SIGKILL'), timeout);
  try {
    const { signal } = ended;
    const answered = once(child, 'message', { signal }).then(([message]) => message);
    const exited = once(child, 'exit', { signal }).then(([code, name]) => {
      throw new Error(`the process ended with ${name ?? code}`);
    });
    exited.catch(() => undefined);
    answered.catch(() => undefined);
    return await Promise.race([answered, exited]);
  } finally {
    clearTimeout(killed);
    ended.abort();
  }
}

/**
 * Bounds what a process may ask for beside the memory that it has. V8 reserves memory at its start,
 * half a gigabyte on Node 24, and uses little of it. So a bound from the start would differ by version.
 *
 * @param memoryMb in MiB
 * @param cpuSeconds of all its work; on a busy machine that is much longer by the clock
 */
export async function boundMemory({ pid }: ChildProcess, memoryMb: number, cpuSeconds?: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, data] = /^VmData:\s+(\d+) kB$/m.exec(status) ?? [];
  const bound = Number(data) * 1_024 + memoryMb * 1_048_576;
  const time = cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`];
  await promisify(execFile)('prlimit', [`--pid=${pid}`, `--data=${bound}`, ...time]);
}
