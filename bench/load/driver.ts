// The load generator's process, on a core of its own: takes jobs, answers with reports.
import { runAutocannon } from './autocannon.ts';
import { runDisplays } from './displays.ts';
import type { LoadJob, LoadMessage, LoadReport } from './job.ts';
import { hasWrk, runWrk } from './wrk.ts';

function tell(message: LoadMessage): void {
  process.send?.(message);
}

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
    (report) => tell({ report }),
    (error) => tell({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
tell({ ready: true });
