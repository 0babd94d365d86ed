import { runProcess } from '../db/operator/start/run-process.ts';
import { constants } from '../db/runtime/constants.ts';
import { startGateway } from './gateway.ts';

await runProcess('gateway', startGateway, constants);
