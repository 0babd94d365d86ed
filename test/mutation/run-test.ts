import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killGroup } from '../support/kill-group.ts';

/**
 * Whether a compiled test file passes. It ends at its first failure, with all that it started.
 *
 * @param bound in ms: a file that takes longer hangs and does not pass
 */
export async function passes(
  program: string,
  env: Record<string, string>,
  bound: number,
): Promise<boolean> {
  const run = spawn(process.execPath, ['--test-reporter=tap', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const group = run.pid as number;
  const late = setTimeout(() => killGroup(group), bound);
  let told = '';
  run.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
    if (/^ *not ok /m.test(told)) killGroup(group);
  });
  const [code] = await once(run, 'exit');
  clearTimeout(late);
  killGroup(group);
  return code === 0;
}
