import os from 'node:os';
import { runProcess } from '../db/operator/start/run-process.ts';
import { constants } from '../db/runtime/constants.ts';
import { startWorker } from './worker.ts';

// Displays come first: where gateways share a machine with workers, these take what is left of it.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
await runProcess('worker', startWorker, constants);
