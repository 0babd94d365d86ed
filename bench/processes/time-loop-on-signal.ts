// Imported before a gateway starts. On SIGUSR2 it writes how long the event loop was kept in one go
// since the last signal, in ms, to the file that BENCH_MEASURED_FILE names.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS = 1_000_000;
/** A timer comes so often, in ms; what it comes later is the time of others. */
const RESOLUTION = 1;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();

process.on('SIGUSR2', () => {
  const longest = Math.max(0, delay.max / NANOSECONDS - RESOLUTION);
  delay.reset();
  const file = process.env.BENCH_MEASURED_FILE;
  if (file !== undefined) writeFileSync(file, JSON.stringify(longest));
});
