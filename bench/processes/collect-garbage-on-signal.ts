// Preloaded into a process whose memory is looked at: on SIGUSR2 it collects garbage, twice, since
// finalizers free more, and writes what is left to the file that the environment names.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  collect();
  setImmediate(() => {
    collect();
    const file = process.env.BENCH_MEMORY_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(process.memoryUsage()));
  });
});
