import { copyFile, stat, truncate } from 'node:fs/promises';
import { ignoreMissing } from './ignore-missing.ts';

/** From here on a log is put aside. */
const longLogBytes = 10 * 1_048_576;

/**
 * Copies a log that has become long to `<path>.1`, over the one that was put aside before, and empties
 * it. The server appends to the file that it has open, so it goes on at the beginning; a line that it
 * writes between the two steps is lost.
 */
export async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found === undefined || found.size < longLogBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
