import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../../runtime/operator-error.ts';

/** Longer than any start or stop of the server that may hold the lock. */
const waitSeconds = 120;

/** Makes the lock's file the folder owner's alone: who can open it can hold the lock for ever. */
async function ownLockFile(path: string): Promise<void> {
  const { uid, gid } = await stat(dirname(path));
  await using file = await open(path, 'a', 0o600);
  await file.chmod(0o600);
  await file.chown(uid, gid);
}

/**
 * Runs `work` while no other process of this machine holds the lock at `path`. The kernel holds
 * it, through flock(1), and frees it with the death of its holder: there is no stale lock.
 *
 * The holder is a child of ours in a session of its own, so that Ctrl-C in the terminal does not
 * free the lock half-way; it ends when its input does, be it that we close it or that we die.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await ownLockFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The lock ${path} could not be taken (${code}): start Lavagna as the owner of its folder.`,
    );
  });
  const holder = spawn(
    'flock',
    ['--exclusive', '--timeout', String(waitSeconds), path, 'sh', '-c', 'echo locked; cat'],
    { detached: true, stdio: 'pipe' },
  );
  let complaint = '';
  holder.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = once(holder, 'close').catch((error: Error) => {
    complaint = error.message;
  });
  const taken = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]);
  if (!taken) {
    const reason = complaint.trim() || `it was busy for ${waitSeconds} seconds`;
    throw new OperatorError(`The lock ${path} could not be taken: ${reason}.`);
  }
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await ended;
  }
}

/** Makes undefined of the error that a file or a process is not there; to be given to `catch`. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
}
