import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../options.ts';
import { repository } from '../processes/child.ts';

const run = promisify(execFile);

/** @throws UsageError when there is no such revision */
export async function resolveRevision(revision: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--short', `${revision}^{commit}`];
    return (await run('git', args, { cwd: repository })).stdout.trim();
  } catch {
    throw new UsageError(`There is no revision ${revision}.`);
  }
}

const readLock = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');

/** Installs the packages: hard links where the lock files agree and the file system allows it. */
async function installPackages(folder: string): Promise<void> {
  if ((await readLock(folder)) === (await readLock(repository))) {
    const target = join(folder, 'node_modules');
    try {
      await run('cp', ['-al', join(repository, 'node_modules'), target]);
      return;
    } catch {
      // Another file system: npm installs them anew.
      await rm(target, { recursive: true, force: true });
    }
  }
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Writes the files of a commit, and its packages, to a new folder. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = `${folder}.tar`;
  await run('git', ['archive', '--output', archive, commit], { cwd: repository });
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  await installPackages(folder);
}
