import { runProcess } from '../db/process/run-process.ts';
import { startGateway } from './gateway.ts';

await runProcess('gateway', startGateway);
