// A process of the Procfile whose work does not end, whatever it is told.

import { runProcess } from '../../db/operator/start/run-process.ts';
import { constants } from '../../db/runtime/constants.ts';
import { stopOnce } from '../../db/runtime/running.ts';

async function start() {
  setInterval(() => {}, 60_000);
  return stopOnce(() => new Promise<void>(() => {}));
}

await runProcess('endless', async () => start, {
  ...constants,
  drainTime: 10,
  stopTimeout: 500,
  stopReserve: 100,
});
