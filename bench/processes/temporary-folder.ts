import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with an empty folder and then removes the folder. */
export async function withFolder<T>(name: string, work: (folder: string) => Promise<T>) {
  const folder = await mkdtemp(join(tmpdir(), `lavagna-${name}-`));
  try {
    // The embedded Postgres may run as another account, which must enter the folder.
    await chmod(folder, 0o755);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
