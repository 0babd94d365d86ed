import { runProcess } from '../db/operator/start/run-process.ts';
import { constants } from '../db/runtime/constants.ts';

await runProcess('gateway', async () => (await import('./gateway.ts')).startGateway, constants);
