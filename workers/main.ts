import { runProcess } from '../db/run-process.ts';
import { startWorker } from './worker.ts';

await runProcess('worker', startWorker);
