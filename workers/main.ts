import os from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority;

// Displays come first: where gateways share a machine with workers, these take what is left of it. It
// counts from the priority that the operator gave, which a process may lower and not raise.
os.setPriority(Math.min(os.getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
// To load the code takes most of a start, so it comes after that.
const { runProcess } = await import('../db/operator/start/run-process.ts');
const { constants } = await import('../db/runtime/constants.ts');
await runProcess('worker', async () => (await import('./worker.ts')).startWorker, constants);
