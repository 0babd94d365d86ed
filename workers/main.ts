import os from 'node:os';
import { runProcess } from '../db/operator/start/run-process.ts';
import { constants } from '../db/runtime/constants.ts';
import { startWorker } from './worker.ts';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority;

// Displays come first: where gateways share a machine with workers, these take what is left of it. It
// counts from the priority that the operator gave, which a process may lower and not raise.
os.setPriority(Math.min(os.getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
await runProcess('worker', startWorker, constants);
