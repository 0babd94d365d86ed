// The process that makes the load, on a core of its own: takes jobs, answers with reports.
import { fireCannon } from './cannon.ts';
import { runDisplays } from './displays.ts';
import type { LoadJob, LoadMessage } from './job.ts';

function tell(message: LoadMessage): void {
  process.send?.(message);
}

process.on('message', (job: LoadJob) => {
  const running = job.kind === 'cannon' ? fireCannon(job) : runDisplays(job);
  running.then(
    (report) => tell({ report }),
    (error) => tell({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
tell({ ready: true });
