import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killGroup } from '../support/kill-group.ts';

/**
 * Whether a compiled test file passes. It ends at its first failure, with all that it started.
 *
 * @param bound in ms: a file that takes longer hangs and does not pass
 * @throws the reason of `signal`, which ends the file when it is aborted
 */
export async function passes(
  program: string,
  env: Record<string, string>,
  bound: number,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const run = spawn(process.execPath, ['--test-reporter=tap', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const group = run.pid as number;
  const end = () => killGroup(group);
  const late = setTimeout(end, bound);
  signal.addEventListener('abort', end);
  let told = '';
  run.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
    if (/^ *not ok /m.test(told)) end();
  });
  const [code] = await once(run, 'exit');
  clearTimeout(late);
  signal.removeEventListener('abort', end);
  end();
  signal.throwIfAborted();
  return code === 0;
}
