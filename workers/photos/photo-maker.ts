import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { boundMemory, nextMessage } from '../../db/runtime/bounded-process.ts';
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
  /** @throws Error when the process ends, or takes longer than `TIMEOUT` */
  make(content: Buffer): Promise<MadePhoto>;
  /** Draws a picture as PNG. @throws Error likewise */
  draw(preview: LinkPreview): Promise<Buffer>;
}

/** Starts the process. Node gets the arguments of this process, which load TypeScript. */
function start(): ChildProcess {
  // The last one of an option counts: young objects are few here.
  const options = [...process.execArgv, '--expose-gc', '--max-semi-space-size=1'];
  return fork(script, [], {
    ...{ cwd: root, serialization: 'advanced', execArgv: options },
    // With one arena freed memory is used again, also when another thread asks for it. Pixels are
    // mapped one by one, so their memory is given back at once.
    env: { ...process.env, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  });
}

/** How long one photo may take, and how long the process waits for another one, in ms. */
const TIMEOUT = 60_000;
const IDLE = 10_000;

export function createPhotoMaker({ photoMemoryMb }: Pick<Constants, 'photoMemoryMb'>): PhotoMaker {
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
  const started = async (): Promise<ChildProcess> => {
    if (child?.connected) return child;
    const starting = start();
    child = starting;
    await nextMessage(starting, TIMEOUT);
    await boundMemory(starting, photoMemoryMb);
    return starting;
  };
  const work = async (task: PhotoTask): Promise<unknown> => {
    clearTimeout(idle);
    try {
      const process = await started();
      process.send(task);
      const made = await nextMessage(process, TIMEOUT);
      idle = setTimeout(end, IDLE);
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
