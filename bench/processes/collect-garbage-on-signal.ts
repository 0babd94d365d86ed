// Imported before a gateway starts. On SIGUSR2 it collects garbage twice, because finalizers free more,
// and writes the memory usage to the file that BENCH_MEASURED_FILE names.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  collect();
  setImmediate(() => {
    collect();
    const file = process.env.BENCH_MEASURED_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(process.memoryUsage()));
  });
});
