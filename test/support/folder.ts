import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './for-file.ts';

/** A new folder, which is gone when the tests of the file have ended; every account may enter it. */
export async function fileFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-test-'));
  await chmod(folder, 0o755);
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
