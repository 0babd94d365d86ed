// A process of the Procfile whose work does not end, whatever it is told.
import { constants } from '../../db/runtime/constants.ts';
import { runProcess } from '../../db/runtime/run-process.ts';

async function start() {
  setInterval(() => {}, 60_000);
  return { stop: () => new Promise<void>(() => {}) };
}

await runProcess('endless', start, constants);
