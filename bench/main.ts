// `npm run bench`: measures Lavagna and other servers under the same load; see README.md.
import { compareRevisions } from './compare/compare.ts';
import { full, quick, withEnvironment } from './environment.ts';
import { renderFinding } from './measure/tables.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { writeReport } from './report.ts';
import { resultOf, writeResult } from './results-folder.ts';
import type { Scenario } from './scenario.ts';
import { hasStrace, syscalls } from './scenarios/syscalls.ts';
import { scenarios } from './scenarios.ts';

const started = performance.now();
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`stopped by ${signal}`)));
}

function progress(line: string): void {
  const seconds = (performance.now() - started) / 1_000;
  process.stderr.write(`${seconds.toFixed(0).padStart(5)} s  ${line}\n`);
}

const minutesSince = (start: number) => ((performance.now() - start) / 60_000).toFixed(1);

/** Runs the scenarios one after the other and writes a file for each; a signal ends it between two. */
async function measure(chosen: readonly Scenario[], options: Options): Promise<void> {
  // System calls of a request do not depend on the number of restaurants.
  const size = options.quick || options.command === 'syscalls' ? quick : full;
  const rounds = `comparisons of ${size.rounds} × ${size.seconds} s, alternating`;
  await withEnvironment(size, options.data, progress, async (environment) => {
    for (const scenario of chosen) {
      interrupted.signal.throwIfAborted();
      progress(`${scenario.name} …`);
      const startedAt = performance.now();
      try {
        const findings = await scenario.run(environment);
        const file = writeResult(resultOf(scenario.name, findings, rounds, options.quick));
        progress(`${scenario.name} took ${minutesSince(startedAt)} minutes`);
        console.log(`${findings.map(renderFinding).join('\n\n')}\n\nWritten to ${file}.\n`);
      } catch (error) {
        // The other scenarios run on.
        console.error(`${scenario.name} failed:`, error);
        process.exitCode = 1;
      }
    }
    writeReport();
  });
}

async function run(options: Options): Promise<void> {
  const { command, only, revisions, rounds, starts } = options;
  if (command === 'report') writeReport();
  else if (command === 'syscalls') {
    if (!hasStrace) throw new UsageError('Install strace to count system calls.');
    await measure([syscalls], options);
  } else if (command === 'compare') {
    const [before = '', after = ''] = revisions;
    const names = only.length === 0 ? ['hot-menu'] : only;
    const signal = interrupted.signal;
    const passed = await compareRevisions({
      before,
      after,
      names,
      rounds,
      starts,
      signal,
      progress,
    });
    if (!passed) process.exitCode = 1;
  } else {
    await measure(
      scenarios.filter(({ name }) => only.length === 0 || only.includes(name)),
      options,
    );
  }
}

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${error.message}\n\n${usage}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
