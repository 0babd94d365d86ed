import { constants } from '../db/runtime/constants.ts';
import { runProcess } from '../db/runtime/run-process.ts';
import { startGateway } from './gateway.ts';

await runProcess('gateway', startGateway, constants);
