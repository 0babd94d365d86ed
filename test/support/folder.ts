import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './for-file.ts';

/** A new folder, which is gone when the tests of the file have ended. */
export async function fileFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-test-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
