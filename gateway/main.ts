import { runProcess } from '../db/run-process.ts';
import { startGateway } from './gateway.ts';

await runProcess('gateway', startGateway);
