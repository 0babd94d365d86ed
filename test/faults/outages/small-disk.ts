import { execFileSync } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Room for a new cluster and a few minutes of load, in MB. */
const SIZE_MB = 400;
const PIECES = [Buffer.alloc(1_048_576), Buffer.alloc(4_096)];
/** How often the room is taken that somebody has given back, in ms. */
const REFILL_MS = 50;

/** This process may not mount a file system; the message is a sentence. */
export class NoSmallDiskError extends Error {
  override name = 'NoSmallDiskError';
}

/**
 * Mounts a small file system, in memory, on an empty folder; the function takes it away again.
 *
 * @throws NoSmallDiskError
 */
export function mountSmallDisk(folder: string): () => void {
  try {
    const options = ['-o', `size=${SIZE_MB}m,mode=755`];
    execFileSync('mount', ['-t', 'tmpfs', ...options, 'lavagna-steady', folder], { stdio: 'pipe' });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    const [reason] = (stderr?.toString().trim() || message).split('\n');
    throw new NoSmallDiskError(`Only root can mount a small disk to fill: ${reason}`);
  }
  return () => {
    execFileSync('umount', [folder]);
  };
}

/** Whether there was room for some of it. */
async function append(file: FileHandle, piece: Buffer): Promise<boolean> {
  try {
    await file.write(piece);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return false;
  }
}

/** Takes all the room that there is around `folder`, until the function that it returns is called. */
export function fillDisk(folder: string): () => Promise<void> {
  const path = join(folder, 'filling');
  let isOver = false;
  const filling = (async () => {
    const file = await open(path, 'w');
    try {
      while (!isOver) {
        for (const piece of PIECES) while (await append(file, piece));
        await sleep(REFILL_MS);
      }
    } finally {
      await file.close();
    }
  })();
  return async () => {
    isOver = true;
    await filling;
    await rm(path);
  };
}
