import { constants, setPriority } from 'node:os';
import { runProcess } from '../db/runtime/run-process.ts';
import { startWorker } from './worker.ts';

// Displays come first: where gateways share a machine with workers, these take what is left of it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await runProcess('worker', startWorker);
