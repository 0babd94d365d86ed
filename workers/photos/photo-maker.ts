import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import type { LinkPreview } from '../../db/schema/photo.ts';
import type { MadePhoto } from './make-photo.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const script = fileURLToPath(new URL('./photo-process.ts', import.meta.url));

/** Work of the process: an upload, or a picture to draw. */
export type PhotoTask = { content: Uint8Array } | { preview: LinkPreview };

/** Makes photos in a process of its own, one after the other. */
export interface PhotoMaker extends Running {
  /** @throws Error when the process ends, or takes longer than `photoTimeout` */
  make(content: Buffer): Promise<MadePhoto>;
  /** Draws a picture as PNG. @throws Error likewise */
  draw(preview: LinkPreview): Promise<Buffer>;
}

/**
 * The shell bounds the memory that the process may have, and becomes it: a picture that needs more is
 * refused as broken, whatever its head says. Node gets the arguments of this process, which load
 * TypeScript.
 */
function start(memoryMb: number): ChildProcess {
  const limited = `ulimit -d ${memoryMb * 1_024} && exec "$0" "$@"`;
  // The last one of an option counts: young objects are few here.
  const options = [...process.execArgv, '--expose-gc', '--max-semi-space-size=1'];
  return fork(script, [], {
    ...{ cwd: root, serialization: 'advanced', execPath: '/bin/sh' },
    execArgv: ['-c', limited, process.execPath, ...options],
    // With one arena freed memory is used again, also when another thread asks for it. Pixels are
    // mapped one by one, so their memory is given back at once.
    env: { ...process.env, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  });
}

/** The answer of the process to its work. */
async function ask(child: ChildProcess, task: PhotoTask, timeout: number): Promise<unknown> {
  const ended = new AbortController();
  const killed = setTimeout(() => child.kill('SIGKILL'), timeout);
  try {
    const { signal } = ended;
    const answered = once(child, 'message', { signal }).then(([made]) => made);
    const exited = once(child, 'exit', { signal }).then(([code, name]) => {
      throw new Error(`the process that makes photos ended with ${name ?? code}`);
    });
    exited.catch(() => undefined);
    answered.catch(() => undefined);
    child.send(task);
    return await Promise.race([answered, exited]);
  } finally {
    clearTimeout(killed);
    ended.abort();
  }
}

export function createPhotoMaker({
  photoTimeout,
  photoProcessIdle,
  photoProcessMb,
}: Pick<Constants, 'photoTimeout' | 'photoProcessIdle' | 'photoProcessMb'>): PhotoMaker {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
    clearTimeout(idle);
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  };
  const work = async (task: PhotoTask): Promise<unknown> => {
    clearTimeout(idle);
    if (child?.connected !== true) child = start(photoProcessMb);
    try {
      const made = await ask(child, task, photoTimeout);
      idle = setTimeout(end, photoProcessIdle);
      return made;
    } catch (error) {
      await end();
      throw error;
    }
  };
  const inTurn = (task: PhotoTask) => {
    const next = last.then(() => work(task));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    make: (content) => inTurn({ content }) as Promise<MadePhoto>,
    draw: async (preview) => Buffer.from((await inTurn({ preview })) as Uint8Array),
    ...stopOnce(end),
  };
}
