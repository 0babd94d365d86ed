// The load generator's process, on a core of its own: takes jobs, answers with reports.
import { runAutocannon } from './autocannon.ts';
import { runDisplays } from './displays.ts';
import type { LoadJob, LoadReport } from './job.ts';
import { hasWrk, runWrk } from './wrk.ts';

/** wrk is faster than autocannon, which leaves a fast server idle; but wrk runs for whole seconds. */
function run(job: LoadJob): Promise<LoadReport> {
  if (job.kind === 'displays') return runDisplays(job);
  const { seconds } = job;
  return hasWrk && seconds !== undefined && Number.isInteger(seconds)
    ? runWrk({ ...job, seconds })
    : runAutocannon(job);
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (report) => process.send?.(report),
    (error) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
