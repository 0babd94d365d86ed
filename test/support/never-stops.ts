// A process of the Procfile whose work does not end, whatever it is told.
import { runProcess } from '../../db/runtime/run-process.ts';

await runProcess('endless', async () => {
  setInterval(() => {}, 60_000);
  return { stop: () => new Promise(() => {}) };
});
