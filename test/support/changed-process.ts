// A gateway or a worker whose constants differ from those that its main file passes: CONSTANTS has the
// others, as JSON.
import { runProcess } from '../../db/operator/start/run-process.ts';
import { constants } from '../../db/runtime/constants.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { startWorker } from '../../workers/worker.ts';

const changed = { ...constants, ...JSON.parse(process.env.CONSTANTS ?? '{}') };
const [name, start] =
  process.argv[2] === 'gateway/main.ts'
    ? (['gateway', startGateway] as const)
    : (['worker', startWorker] as const);
// A process checks that its constants keep the service's promises, and those of a test may not. It
// gets those that it needs for its end.
const { drainTime, stopTimeout, stopReserve, killAfter } = changed;
const ends = { ...constants, drainTime, stopTimeout, stopReserve, killAfter };
await runProcess(name, async () => (config, log) => start(config, log, changed), ends);
